package journal

// Unpack is unpack.
func Unpack(b Batch) []Told { return unpack(b) }
