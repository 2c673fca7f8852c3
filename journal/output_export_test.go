package journal

// Level is level.
func Level(sizes []int, surplus int) int { return level(sizes, surplus) }
