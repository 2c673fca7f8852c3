package config

import "bytes"

// openQuote looks for quoted text over several lines that holds offset, ends on
// its line, or is followed by more text: most likely its closing quote is
// missing, and what the parser took for it opens the next text.
func openQuote(data []byte, offset int) (open int, ok bool) {
	_, failing := lineAt(data, offset)
	s := quoteScanner{data: data}
	for s.at <= offset && s.at < len(data) {
		start, end, ok := s.next()
		if !ok {
			break
		}
		if end < 0 {
			return start, true
		}
		long := bytes.IndexByte(data[start:end], '\n') >= 0
		if long && (end >= failing || strayAfter(data[end+1:])) {
			return start, true
		}
	}
	return offset, false
}

// strayAfter reports whether quoted text is followed by what cannot follow it.
func strayAfter(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r")
	return len(rest) > 0 && bytes.IndexByte([]byte("\n#,]}:"), rest[0]) < 0
}

// quoteScanner walks over YAML and stops at quoted text. It knows just enough
// of YAML to tell an opening quote from an apostrophe.
type quoteScanner struct {
	data []byte
	at   int
	flow int // open [ and {
}

// next returns the bounds of the next quoted text, end -1 if it is not closed.
func (s *quoteScanner) next() (start, end int, ok bool) {
	fresh := s.at == 0 // a key or value may begin here
	for ; s.at < len(s.data); s.at++ {
		switch b := s.data[s.at]; {
		case b == '#' && (s.at == 0 || s.data[s.at-1] <= ' '):
			s.skipLine()
			fresh = true
		case fresh && (b == '"' || b == '\''):
			start = s.at
			end = closing(s.data, start)
			s.at = end + 1
			return start, end, true
		case fresh && (b == '|' || b == '>'):
			s.skipBlock()
		default:
			fresh = s.step(b, fresh)
		}
	}
	return 0, 0, false
}

// step passes over one byte and reports whether a key or value may begin after it.
func (s *quoteScanner) step(b byte, fresh bool) bool {
	switch b {
	case '\n':
		return true
	case ' ', '\t':
		return fresh || s.at > 0 && s.data[s.at-1] == ':'
	case '[', '{':
		if fresh {
			s.flow++
		}
		return fresh
	case ']', '}':
		s.flow = max(0, s.flow-1)
	case ',':
		return s.flow > 0
	case '-':
		return fresh && s.at+1 < len(s.data) && s.data[s.at+1] == ' '
	}
	return false
}

// skipLine moves to the newline that ends the line.
func (s *quoteScanner) skipLine() {
	if i := bytes.IndexByte(s.data[s.at:], '\n'); i >= 0 {
		s.at += i
		return
	}
	s.at = len(s.data)
}

// skipBlock moves over the lines of a block scalar, those indented more than
// the line it begins on, to the newline that ends the last of them.
func (s *quoteScanner) skipBlock() {
	start := 1 + bytes.LastIndexByte(s.data[:s.at], '\n')
	depth := indent(s.data[start:])
	for s.skipLine(); s.at < len(s.data); s.skipLine() {
		rest := s.data[s.at+1:]
		deep := indent(rest)
		blank := deep == len(rest) || rest[deep] == '\n' || rest[deep] == '\r'
		if !blank && deep <= depth {
			return
		}
		s.at++
	}
}

// indent counts the spaces that text begins with.
func indent(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " ")) }

// closing returns where the text quoted from start ends, -1 if it does not.
func closing(data []byte, start int) int {
	q := data[start]
	for i := start + 1; i < len(data); i++ {
		switch {
		case q == '"' && data[i] == '\\':
			i++
		case data[i] == q && q == '\'' && i+1 < len(data) && data[i+1] == '\'':
			i++
		case data[i] == q:
			return i
		}
	}
	return -1
}
