package redislease

import (
	"strings"

	"github.com/solocron/solocron/election/internal/check"
)

// cursor reads words and numbers divided by single spaces, without allocating.
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
	word := c.word()
	if word == "" || len(word) > 16 {
		c.wrong = true
		return 0
	}
	var n int64
	for i := range len(word) {
		digit := word[i] - '0'
		if digit > 9 {
			c.wrong = true
			return 0
		}
		n = n*10 + int64(digit)
	}
	if n > check.MaxInt {
		c.wrong = true
	}
	return n
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
