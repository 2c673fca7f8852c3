package main

import (
	"bytes"
	"io"
	"text/tabwriter"
)

// columns writes to out what fill writes, with tabs turned into columns and
// nothing at the ends of lines.
func columns(out io.Writer, fill func(w io.Writer)) error {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	fill(w)
	if err := w.Flush(); err != nil {
		return err
	}
	for line := range bytes.Lines(b.Bytes()) {
		if _, err := out.Write(append(bytes.TrimRight(line, " \n"), '\n')); err != nil {
			return err
		}
	}
	return nil
}
