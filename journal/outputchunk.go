package journal

import (
	"encoding/binary"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxChunk is the largest chunk in bytes, as stored.
const MaxChunk = 16 << 10

// Chunk is a piece of output without gaps, packed: Logs keep it as it is.
type Chunk struct {
	Offset int64 // of its first byte in all that was printed
	Data   []byte
}

// Line is one line of output, or a part of one.
type Line struct {
	At     time.Time // when it was printed, in whole milliseconds, on the clock of the replica
	Stream string    // stdout or stderr
	Text   string    // without the newline; always valid UTF-8
	Open   bool      // no newline followed: the next Line goes on, if it follows without a gap
}

// The head of a packed chunk: version, size, attempt, time in milliseconds.
const (
	packVersion = 1
	packHead    = 1 + 4 + 2 + 8
	recordHead  = 3 + 8 // length with two flags, and milliseconds since the line before, as uvarints
)

// The flags of a record.
const (
	flagStderr = 1 << iota
	flagOpen
	flagBits = iota
)

// Valid reports whether c was packed by this version.
func (c Chunk) Valid() bool {
	return len(c.Data) >= packHead && len(c.Data) <= MaxChunk && c.Data[0] == packVersion && c.Offset >= 0
}

// Size is how many bytes of output c stands for, newlines included; 0 if c is not valid.
func (c Chunk) Size() int64 {
	if !c.Valid() {
		return 0
	}
	return int64(binary.BigEndian.Uint32(c.Data[1:]))
}

// End is where the output goes on after c.
func (c Chunk) End() int64 { return c.Offset + c.Size() }

// Head reports whether c lies wholly in the head of its run's output.
func (c Chunk) Head() bool { return c.End() <= HeadLimit }

// Attempt says which attempt of the run printed c; 0 if c is not valid.
func (c Chunk) Attempt() int {
	if !c.Valid() {
		return 0
	}
	return int(binary.BigEndian.Uint16(c.Data[5:]))
}

// Lines unpacks c as far as it can be understood: nothing, if it is not valid.
func (c Chunk) Lines() []Line {
	if !c.Valid() {
		return nil
	}
	var lines []Line
	ms, rest := binary.BigEndian.Uint64(c.Data[7:]), c.Data[packHead:]
	for len(rest) > 0 {
		kind, n := binary.Uvarint(rest)
		if n <= 0 {
			return lines
		}
		later, m := binary.Uvarint(rest[n:])
		if m <= 0 {
			return lines
		}
		rest = rest[n+m:]
		size := kind >> flagBits
		if size > uint64(len(rest)) {
			return lines
		}
		ms += later
		line := Line{
			At: time.UnixMilli(int64(ms)).UTC(), Stream: "stdout", Open: kind&flagOpen != 0,
			Text: strings.ToValidUTF8(string(rest[:size]), "\uFFFD"),
		}
		if kind&flagStderr != 0 {
			line.Stream = "stderr"
		}
		lines, rest = append(lines, line), rest[size:]
	}
	return lines
}

// Pack makes the chunk that begins at offset and holds lines, whose times must
// not decrease. It must not get larger than MaxChunk.
func Pack(offset int64, attempt int, lines []Line) Chunk {
	b := block{offset: offset, data: make([]byte, packHead, firstRoom)}
	for _, l := range lines {
		b.record(l.At.UnixMilli(), l.Stream, l.Text, l.Open)
	}
	return b.seal(attempt)
}

// fit returns the longest beginning of text that has at most n bytes and does
// not end inside a rune.
func fit(text string, n int) string {
	if len(text) <= n {
		return text
	}
	n = max(n, 0)
	for cut := n; cut > 0 && cut > n-utf8.UTFMax; cut-- {
		if utf8.RuneStart(text[cut]) {
			return text[:cut]
		}
	}
	if n < utf8.UTFMax {
		return ""
	}
	return text[:n] // not UTF-8 at all
}
