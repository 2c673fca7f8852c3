package jobs

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
	"time"
)

// reportFormat writes a report row by row. It has written its beginning when
// it is made.
type reportFormat interface {
	row(cells []cell) error
	end(rows int64) error
}

func (r *Report) format(to io.Writer, names []string, run Run) (reportFormat, error) {
	switch r.Format {
	case "json":
		return newJSONFormat(to, names)
	case "html":
		title := r.Title
		if title == "" {
			title = run.Job
		}
		return newHTMLFormat(to, names, title, run.Tick)
	}
	return newCSVFormat(to, names, r.CSVSafe)
}

// csvFormat has a line of column names, then one per row. NULL is an empty field.
type csvFormat struct {
	to     io.Writer
	csv    *csv.Writer
	record []string
	safe   bool
}

func newCSVFormat(to io.Writer, names []string, safe bool) (*csvFormat, error) {
	f := &csvFormat{to: to, csv: csv.NewWriter(to), record: make([]string, len(names)), safe: safe}
	for i, name := range names {
		f.record[i] = f.text(name)
	}
	return f, f.csv.Write(f.record)
}

func (f *csvFormat) row(cells []cell) error {
	for i, c := range cells {
		f.record[i] = c.text
		if c.kind == cellText {
			f.record[i] = f.text(c.text)
		}
	}
	if len(cells) > 1 || f.record[0] != "" {
		return f.csv.Write(f.record)
	}
	// A line with one empty field would be an empty line, which readers skip.
	f.csv.Flush()
	if err := f.csv.Error(); err != nil {
		return err
	}
	_, err := io.WriteString(f.to, "\"\"\n")
	return err
}

// text is s, made harmless for spreadsheets if that is wanted.
func (f *csvFormat) text(s string) string {
	if f.safe && s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (f *csvFormat) end(int64) error {
	f.csv.Flush()
	return f.csv.Error()
}

// jsonFormat is an array of objects, one a line, in the order of the columns.
type jsonFormat struct {
	to    io.Writer
	names []string // as JSON
	line  []byte
	rows  int64
}

func newJSONFormat(to io.Writer, names []string) (*jsonFormat, error) {
	f := &jsonFormat{to: to}
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return nil, fmt.Errorf("two columns are named %q: name them apart with AS", name)
		}
		seen[name] = true
		f.names = append(f.names, jsonString(name))
	}
	_, err := io.WriteString(to, "[")
	return f, err
}

func (f *jsonFormat) row(cells []cell) error {
	f.line = append(f.line[:0], ",\n{"...)
	if f.rows == 0 {
		f.line = append(f.line[:0], "\n{"...)
	}
	f.rows++
	for i, c := range cells {
		if i > 0 {
			f.line = append(f.line, ',')
		}
		f.line = append(f.line, f.names[i]...)
		f.line = append(f.line, ':')
		f.line = append(f.line, jsonValue(c)...)
	}
	f.line = append(f.line, '}')
	_, err := f.to.Write(f.line)
	return err
}

func jsonValue(c cell) string {
	switch c.kind {
	case cellNull:
		return "null"
	case cellText:
		return jsonString(c.text)
	}
	return c.text
}

func jsonString(s string) string {
	b, _ := json.Marshal(s) // a string always has a JSON form
	return string(b)
}

func (f *jsonFormat) end(int64) error {
	_, err := io.WriteString(f.to, "\n]\n")
	return err
}

// htmlFormat is one page with one table.
type htmlFormat struct {
	to   io.Writer
	line strings.Builder
}

const htmlStyle = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color:#1c1c1c;background:#fff}
table{border-collapse:collapse}th,td{padding:.3rem .8rem;border-bottom:1px solid #d0d0d0;text-align:left;vertical-align:top}
th{border-bottom:2px solid #1c1c1c}td.n{text-align:right;font-variant-numeric:tabular-nums}`

func newHTMLFormat(to io.Writer, names []string, title string, tick time.Time) (*htmlFormat, error) {
	f := &htmlFormat{to: to}
	name, at := html.EscapeString(title), tick.UTC().Format(time.RFC3339)
	fmt.Fprintf(&f.line, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s</title>\n<style>%s</style>\n</head>\n"+
		"<body>\n<h1>%s</h1>\n<p>Generated for <time datetime=\"%s\">%s</time></p>\n<table>\n<thead>\n<tr>", name, htmlStyle, name, at, at)
	for _, column := range names {
		fmt.Fprintf(&f.line, "<th scope=\"col\">%s</th>", html.EscapeString(column))
	}
	f.line.WriteString("</tr>\n</thead>\n<tbody>\n")
	return f, f.flush()
}

func (f *htmlFormat) row(cells []cell) error {
	f.line.WriteString("<tr>")
	for _, c := range cells {
		switch c.kind {
		case cellNull:
			f.line.WriteString("<td></td>")
		case cellNumber:
			fmt.Fprintf(&f.line, "<td class=\"n\">%s</td>", html.EscapeString(c.text))
		default:
			fmt.Fprintf(&f.line, "<td>%s</td>", html.EscapeString(c.text))
		}
	}
	f.line.WriteString("</tr>\n")
	return f.flush()
}

func (f *htmlFormat) end(rows int64) error {
	fmt.Fprintf(&f.line, "</tbody>\n</table>\n<p>Rows: %d</p>\n</body>\n</html>\n", rows)
	return f.flush()
}

func (f *htmlFormat) flush() error {
	_, err := io.WriteString(f.to, f.line.String())
	f.line.Reset()
	return err
}
