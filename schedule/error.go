package schedule

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ParseError says what is wrong with a schedule, where, and what to write instead.
type ParseError struct {
	Spec  string // the text given, cut to 80 runes
	Field string // minute, hour, ...; startAt, endAt, jitter or exclude of Rules; empty when the whole text is meant
	Pos   int    // where Token begins in the text, in runes from 1; 0: nowhere in particular
	Token string // the faulty part, cut to 80 runes; may be empty
	Msg   string // what is wrong
	Fix   string // what to do about it; may be empty
}

// Error returns all of it on one line.
func (e *ParseError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "schedule %q: ", e.Spec)
	if e.Field != "" {
		b.WriteString(e.Field + " field: ")
	}
	if e.Token != "" {
		fmt.Fprintf(&b, "%q ", e.Token)
		if e.Pos > 0 {
			fmt.Fprintf(&b, "(position %d) ", e.Pos)
		}
	}
	b.WriteString(e.Msg)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}

// fault is a ParseError in the making: the part that knows the token only.
type fault struct {
	token, msg, fix string
}

// at turns f into a ParseError; token must be a part of spec beginning at offset.
func (f *fault) at(spec string, k field, offset int) *ParseError {
	pos := offset + max(0, strings.Index(spec[offset:], f.token))
	return &ParseError{
		Spec: clip(spec), Field: k.String(), Pos: utf8.RuneCountInString(spec[:pos]) + 1,
		Token: clip(f.token), Msg: f.msg, Fix: f.fix,
	}
}

// refuse is an error about the whole of spec.
func refuse(spec, msg, fix string) *ParseError {
	return &ParseError{Spec: clip(spec), Msg: msg, Fix: fix}
}

// clip cuts s to 80 runes.
func clip(s string) string {
	n := 0
	for i := range s {
		if n == 80 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
