package wire

func appendInt(b []byte, n int64) []byte {
	for shift := 0; shift < 64; shift += 8 {
		b = append(b, byte(n>>shift))
	}
	return b
}

func getInt(b []byte) int64 {
	var n int64
	for i, c := range b[:8] {
		n |= int64(c) << (8 * i)
	}
	return n
}

func appendText(b []byte, s string) []byte { return append(appendInt(b, int64(len(s))), s...) }

func appendTexts(b []byte, all []string) []byte {
	b = appendInt(b, int64(len(all)))
	for _, s := range all {
		b = appendText(b, s)
	}
	return b
}

// reader takes values off a slice. What does not fit makes it bad, and then
// all it gives is zero.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) take(n int64) []byte {
	if r.bad || n < 0 || n > int64(len(r.rest)) {
		r.bad = true
		return nil
	}
	head := r.rest[:n]
	r.rest = r.rest[n:]
	return head
}

func (r *reader) int() int64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return getInt(b)
}

func (r *reader) text() string { return string(r.take(r.int())) }

func (r *reader) texts() []string {
	n := r.int()
	if n < 0 || n > int64(len(r.rest))/8 { // each has a length of 8 bytes
		r.bad = true
		return nil
	}
	all := make([]string, n)
	for i := range all {
		all[i] = r.text()
	}
	return all
}
