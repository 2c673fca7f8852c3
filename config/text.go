package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

const maxFile = 64 << 20 // bytes of a configuration file

// readFile reads the file at path, at most maxFile bytes of it.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// document parses data and returns the top node of its only document: nil with
// no fault if it holds nothing, nil after a fault if it is not YAML.
func (c *collector) document(data []byte) *yaml.Node {
	if len(data) > maxFile {
		c.add(Fault{File: c.file, Msg: fmt.Sprintf("is larger than %d MiB", maxFile>>20)})
		return nil
	}
	if bad, msg := unreadable(data); msg != "" {
		c.add(c.place(data, bad, msg))
		return nil
	}
	in := &watched{data: data, fine: len(data)}
	top, err := parse(in)
	if err != nil {
		c.add(c.syntax(data, in.read, err))
		return nil
	}
	return top
}

var errSecondDocument = errors.New("second document")

// parse reads one document to its end. A panic of the parser is an error.
func parse(r io.Reader) (top *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			top, err = nil, fmt.Errorf("yaml: the parser gave up: %v", p)
		}
	}()
	dec := yaml.NewDecoder(r)
	var doc, more yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := dec.Decode(&more); err == nil {
		return nil, fmt.Errorf("yaml: line %d: %w", more.Line, errSecondDocument)
	} else if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return doc.Content[0], nil
}

// unreadable finds the first byte that no text file should hold. The parser
// would refuse most of them too, but without saying where.
func unreadable(data []byte) (offset int, msg string) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return 0, "is UTF-16: save the file as UTF-8"
	}
	for i := 0; i < len(data); {
		b := data[i]
		if b >= ' ' && b < 0x7f || b == '\n' || b == '\t' || b == '\r' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return i, fmt.Sprintf("holds the byte 0x%02x, which is not UTF-8: save the file as UTF-8", b)
		case r == '\uFEFF' && i > 0, r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff:
			return i, fmt.Sprintf("holds the control character %U: remove it, or write it as an escape in double quotes", r)
		case r == '\u2028', r == '\u2029':
			return i, fmt.Sprintf("holds the line separator %U: replace it by a plain newline", r)
		}
		i += size
	}
	return 0, ""
}

// place makes a Fault at an offset of data, with the key of its line as the path.
func (c *collector) place(data []byte, offset int, msg string) Fault {
	line, start := lineAt(data, offset)
	text := lineText(data, start)
	col := offset - start
	return Fault{
		File: c.file,
		Line: line,
		Col:  1 + utf8.RuneCount(data[start:offset]),
		Path: keyBefore(text, min(col, len(text))),
		Msg:  msg,
	}
}

// lineAt returns the number of the line that offset is in, and where it starts.
func lineAt(data []byte, offset int) (line, start int) {
	before := data[:offset]
	start = 1 + bytes.LastIndexByte(before, '\n')
	if start == 0 && bytes.HasPrefix(data, []byte("\uFEFF")) && offset >= 3 {
		start = 3
	}
	return 1 + bytes.Count(before, []byte{'\n'}), start
}

func lineText(data []byte, start int) string {
	text, _, _ := bytes.Cut(data[start:], []byte{'\n'})
	return string(bytes.TrimSuffix(text[:min(len(text), 1000)], []byte{'\r'}))
}

// keyBefore returns the key whose value the column col of a line is in, or else
// the first key of the line: "schedule" for `  - schedule: * * *`.
func keyBefore(text string, col int) string {
	if key := lastKey(text[:col]); key != "" {
		return key
	}
	for i := range text {
		if text[i] == ':' {
			return lastKey(text[:i+1])
		}
	}
	return ""
}

// lastKey returns the word before the last colon of s that follows one.
func lastKey(s string) string {
	for i := len(s) - 1; i > 0; i-- {
		if s[i] != ':' || !wordByte(s[i-1]) {
			continue
		}
		start := i
		for start > 0 && wordByte(s[start-1]) {
			start--
		}
		return cut(s[start:i], 40)
	}
	return ""
}

func wordByte(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
