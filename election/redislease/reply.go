package redislease

import (
	"strings"

	"github.com/solocron/solocron/election/internal/check"
)

// cursor reads words and right-aligned numbers that each end in a space, without
// allocating.
type cursor struct {
	rest  string
	wrong bool
}

func (c *cursor) word() string {
	word, rest, found := strings.Cut(c.rest, " ")
	if !found {
		c.wrong = true
	}
	c.rest = rest
	return word
}

// number reads a decimal number without sign, at most check.MaxInt.
func (c *cursor) number() int64 {
	s, at := c.rest, 0
	for at < len(s) && s[at] == ' ' {
		at++
	}
	first := at
	var n int64
	for at < len(s) && at < first+16 && s[at]-'0' <= 9 {
		n = n*10 + int64(s[at]-'0')
		at++
	}
	if at == first || at == len(s) || s[at] != ' ' || n > check.MaxInt {
		c.wrong = true
		return 0
	}
	c.rest = s[at+1:]
	return n
}

// cut reads so many bytes, whatever they are.
func (c *cursor) cut(n int64) string {
	if n > int64(len(c.rest)) {
		c.wrong = true
		return ""
	}
	s := c.rest[:n]
	c.rest = c.rest[n:]
	return s
}

// begin reads the kind of an answer and checks that it is for the owner whose
// name begins with echo.
func begin(s, echo string) (letter byte, c cursor, err error) {
	c.rest = s
	kind := c.word()
	got := c.word()
	switch {
	case c.wrong || kind == "":
		return 0, c, errShape
	case got != echo:
		return 0, c, errEcho
	case kind[0] == '!' && len(kind) == 2:
		return 0, c, itemError(kind[1], c.rest)
	case len(kind) != 1:
		return 0, c, errShape
	}
	return kind[0], c, nil
}
