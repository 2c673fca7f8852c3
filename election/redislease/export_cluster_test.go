package redislease

// Course is what becomes of a call that one server of a cluster has answered.
type Course = course

// The courses.
const (
	Arrived   = arrived
	Elsewhere = elsewhere
	Scattered = scattered
	Unmapped  = unmapped
)

// Whither is whither.
func Whither(err error, keys int) Course { return whither(err, keys) }

// Split divides a call with these arguments, for so many items, and returns those of
// its parts.
func Split(items int, args ...any) [][]any {
	c := &call{items: make([]int32, items), args: args}
	var parts [][]any
	for _, part := range c.split() {
		parts = append(parts, part.args)
	}
	return parts
}
