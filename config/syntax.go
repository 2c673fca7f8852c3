package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// lookahead is how many bytes the scanner has read beyond the one it objects to.
const lookahead = 4

var parserLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// syntax turns an error of the YAML parser into a Fault with the right place
// and the words of somebody who wants to help. The parser's own line numbers
// are missing or wrong for many errors, so the place is found by watching how
// far it reads: read bytes or a little less.
func (c *collector) syntax(data []byte, read int, err error) Fault {
	parts := parserLine.FindStringSubmatch(err.Error())
	if parts == nil {
		return Fault{File: c.file, Line: 1, Col: 1, Msg: "is not valid YAML"}
	}
	claimed, _ := strconv.Atoi(parts[1]) // 0 if there is none
	if errors.Is(err, errSecondDocument) {
		return c.place(data, startOfLine(data, claimed), "a second YAML document begins here: one file holds one; remove the line ---")
	}
	at := failedAt(data, read)
	msg := parts[2]
	if name, ok := unknownAnchor(msg); ok {
		return c.unknownAlias(data, at, name)
	}
	if open, ok := openQuote(data, at); ok {
		return c.place(data, open, "the quoted text that begins here does not end on its line: is the closing quote missing?")
	}
	switch {
	case strings.Contains(msg, "',' or"):
		return c.place(data, startOfLine(data, claimed+1), "a list or map in [ ] or { } that begins on this line is not closed, or lacks a comma")
	case strings.Contains(msg, "could not find expected ':'") && claimed > 0:
		return c.place(data, startOfLine(data, claimed), `this line is not "key: value": is a colon, a space after it, or a quote missing?`)
	}
	if strings.Contains(msg, "cannot start any token") {
		// At the end of the data the scanner looks less far ahead.
		if i := bytes.IndexAny(data[at:min(at+lookahead, len(data))], "@`%\t"); i >= 0 {
			at += i
		}
	}
	line, start := lineAt(data, at)
	text := lineText(data, start)
	if misplaced(msg, text[:min(at-start, len(text))]) {
		at = startOfLine(data, line)
	}
	f := c.place(data, at, "")
	f.Msg = advice(msg, text, at-start, f.Path)
	return f
}

// misplaced reports whether the parser objects to where a line begins.
func misplaced(msg, before string) bool {
	return strings.HasPrefix(msg, "did not find expected") && !strings.Contains(msg, "alphabetic") ||
		strings.Contains(msg, "mapping values") && !strings.Contains(before, ": ")
}

// advice rewords what the parser said about column col of a line.
func advice(msg, text string, col int, key string) string {
	var first byte
	if col < len(text) {
		first = text[col]
	}
	switch {
	case first == '\t' || strings.Contains(msg, "tab character"):
		return "a tab stands in the indentation: use spaces"
	case strings.Contains(msg, "alphabetic or numeric") && (first == '*' || first == '&'),
		strings.Contains(msg, "cannot start any token"):
		return fmt.Sprintf("unquoted text cannot begin with %c: put the value in quotes%s", first, example(text[min(col, len(text)):], key))
	case strings.Contains(msg, "mapping values are not allowed"):
		if strings.Contains(text[:min(col, len(text))], ": ") {
			return `": " stands inside unquoted text: put the whole value in quotes`
		}
		return "this line is indented more than the one it belongs to, or a value above it should be in quotes"
	case strings.Contains(msg, "block sequence entries"):
		return `a list item "- " cannot stand here: begin each item on a line of its own, with the indentation of the others`
	case strings.Contains(msg, "unknown escape"):
		return `a backslash in double quotes begins an escape: write \\, or use single quotes`
	case strings.Contains(msg, "incompatible YAML"):
		return "the line %YAML above names a version that is not known: remove it"
	case strings.Contains(msg, "max depth"):
		return "is nested too deep"
	case strings.HasPrefix(msg, "did not find expected"):
		return fmt.Sprintf("the indentation of this line fits nothing above it: %s", quote(shown(text)))
	}
	return "is not valid YAML here: " + msg
}

// example shows a schedule in quotes; other values might be secrets.
func example(value, key string) string {
	if key != "schedule" {
		return ""
	}
	value, _, _ = strings.Cut(value, ",")
	return fmt.Sprintf(`: schedule: "%s"`, cut(strings.TrimRight(value, " }"), 40))
}

// shown is the part of a line that may be printed: up to its first colon.
func shown(text string) string {
	key, _, ok := strings.Cut(text, ":")
	if !ok {
		return cut(text, len(text)-len(strings.TrimLeft(text, " -"))+1)
	}
	return key + ":"
}

func unknownAnchor(msg string) (name string, ok bool) {
	name, ok = strings.CutPrefix(msg, "unknown anchor '")
	name, _, _ = strings.Cut(name, "'")
	return name, ok
}

func (c *collector) unknownAlias(data []byte, at int, name string) Fault {
	end := min(at+lookahead, len(data))
	pos := max(0, bytes.LastIndex(data[:end], []byte("*"+name)))
	f := c.place(data, pos, fmt.Sprintf("*%s refers to an anchor that is not there; if it is text, put it in quotes", cut(name, 40)))
	if f.Path == "schedule" {
		f.Msg += fmt.Sprintf(`; for a schedule you may mean "@%s"`, cut(name, 40))
	}
	return f
}

// failedAt parses data once more, to see which byte of the last block read is
// the one the parser fails at.
func failedAt(data []byte, read int) int {
	exact := &watched{data: data, fine: max(0, read-4096)}
	_, _ = parse(exact)
	return max(0, exact.read-lookahead)
}

// watched is a Reader that counts, and gives single bytes from offset fine on.
type watched struct {
	data []byte
	read int
	fine int
}

func (w *watched) Read(p []byte) (int, error) {
	if w.read == len(w.data) {
		return 0, io.EOF
	}
	if w.read >= w.fine {
		p = p[:1]
	} else {
		p = p[:min(len(p), w.fine-w.read)]
	}
	n := copy(p, w.data[w.read:])
	w.read += n
	return n, nil
}

// startOfLine returns where the first character of a line stands, after its indentation.
func startOfLine(data []byte, line int) int {
	offset := 0
	for range line - 1 {
		i := bytes.IndexByte(data[offset:], '\n')
		if i < 0 {
			break
		}
		offset += i + 1
	}
	for offset < len(data)-1 && data[offset] == ' ' {
		offset++
	}
	return min(offset, max(0, len(data)-1))
}
