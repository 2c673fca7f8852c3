package cli

import (
	"bytes"
	"io"
)

// Tail keeps the last lines of what is written to it. It is for texts that fit into
// memory.
type Tail struct {
	Out   io.Writer
	Lines int // how many

	text []byte
}

// Write takes p.
func (t *Tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	return len(p), nil
}

// End writes the last lines to Out.
func (t *Tail) End() error {
	from := len(bytes.TrimSuffix(t.text, []byte("\n")))
	for range t.Lines {
		if from = bytes.LastIndexByte(t.text[:from], '\n'); from < 0 {
			break
		}
	}
	_, err := t.Out.Write(t.text[from+1:])
	return err
}
