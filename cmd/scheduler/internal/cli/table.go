package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table is rows of cells. Cells may hold anything: control characters are taken out
// when it is written.
type Table struct {
	Head   []string
	Rows   [][]string
	Wide   int    // so many of the last columns are shown only when asked for
	Status int    // column whose first word is a status, plus 1; 0: none
	Empty  string // what is said where there are no rows
}

// gap is what stands between two columns.
const gap = "   "

// Table writes t.
func (v *View) Table(t Table) error {
	if len(t.Rows) == 0 {
		v.Note("%s", t.Empty)
		return nil
	}
	columns := len(t.Head)
	if v.Format != FormatWide {
		columns -= t.Wide
	}
	rows := t.Rows
	if v.Headers {
		rows = append([][]string{t.Head}, rows...)
	}
	clean := make([][]string, len(rows))
	widths := make([]int, columns)
	for i, row := range rows {
		clean[i] = make([]string, columns)
		for c := range min(columns, len(row)) {
			clean[i][c] = OneLine(row[c])
			widths[c] = max(widths[c], utf8.RuneCountInString(clean[i][c]))
		}
	}
	var b bytes.Buffer
	for i, row := range clean {
		v.row(&b, row, widths, t.Status-1, v.Headers && i == 0)
	}
	_, err := v.Out.Write(b.Bytes())
	return err
}

// row writes one row, with nothing at its end.
func (v *View) row(b *bytes.Buffer, row []string, widths []int, status int, head bool) {
	last := len(row) - 1
	for last > 0 && row[last] == "" {
		last--
	}
	for c, cell := range row[:last+1] {
		word, _, _ := strings.Cut(cell, " ")
		word, _, _ = strings.Cut(word, "(")
		if v.color && c == status && !head {
			_ = paint(b, cell, word) // a buffer takes everything
		} else {
			b.WriteString(cell)
		}
		if c < last {
			b.WriteString(strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell)) + gap)
		}
	}
	b.WriteByte('\n')
}

// Facts is what is known of one thing: names and values.
type Facts [][2]string

// Add adds a fact, unless its value is empty.
func (f *Facts) Add(name, value string) {
	if value != "" {
		*f = append(*f, [2]string{name, value})
	}
}

// Facts writes f, one a line.
func (v *View) Facts(f Facts) error {
	width := 0
	for _, fact := range f {
		width = max(width, utf8.RuneCountInString(OneLine(fact[0])))
	}
	for _, fact := range f {
		name := OneLine(fact[0])
		if _, err := fmt.Fprintf(v.Out, "%s%s%s%s\n", name, strings.Repeat(" ", width-utf8.RuneCountInString(name)), gap, v.Status(OneLine(fact[1]))); err != nil {
			return err
		}
	}
	return nil
}

// Status is text, in colour if it is a word about how something stands.
func (v *View) Status(text string) string {
	if !v.color {
		return text
	}
	var b strings.Builder
	word, _, _ := strings.Cut(text, "(")
	_ = paint(&b, text, word) // so does a builder
	return b.String()
}

// Line writes one line of data.
func (v *View) Line(format string, args ...any) error {
	_, err := io.WriteString(v.Out, OneLine(fmt.Sprintf(format, args...))+"\n")
	return err
}
