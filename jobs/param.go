package jobs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the parameters of a job.
const (
	MaxParams     = 64
	MaxParamName  = 50   // bytes
	MaxParamValue = 1000 // bytes
	maxParamText  = 1000 // bytes of a description
	maxChoices    = 100
)

// ParamError is a value that cannot be given to a parameter, or a parameter
// that is not there.
type ParamError struct {
	Param string // its name, as given; at most 50 bytes
	Msg   string // what is wrong and how to put it right
}

func (e *ParamError) Error() string { return fmt.Sprintf("param %s: %s", e.Param, e.Msg) }

// Canonical returns text in the one notation that the work gets: a whole number
// without leading zeros, a number as JSON has it, true or false. Text for a
// string is itself; control characters are refused, since it goes into
// environments, headers and logs. The error is a *ParamError; whether text is
// among the choices is not looked at.
func (p Param) Canonical(text string) (string, error) {
	canonical, msg := p.read(text)
	if msg != "" {
		return "", &ParamError{Param: oneLine(p.Name, MaxParamName), Msg: msg}
	}
	return canonical, nil
}

func (p Param) read(text string) (canonical, msg string) {
	if len(text) > MaxParamValue {
		return "", fmt.Sprintf("has %d bytes: at most %d", len(text), MaxParamValue)
	}
	switch p.Type {
	case StringParam, "":
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return "", "must be UTF-8 without control characters, line ends included"
		}
		return text, ""
	case IntParam:
		return readInt(text)
	case NumberParam:
		return readNumber(text)
	case BoolParam:
		switch text {
		case "true", "True", "TRUE":
			return "true", ""
		case "false", "False", "FALSE":
			return "false", ""
		}
		return "", shown(text) + " is neither true nor false"
	}
	return "", fmt.Sprintf("is of the unknown type %s", shown(string(p.Type)))
}

func readInt(text string) (canonical, msg string) {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 1 && digits[0] == '0' {
		return "", shown(text) + " begins with 0, which some read as octal: write it without"
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || text[0] == '+' {
		return "", shown(text) + " is not a whole number, or too large"
	}
	return strconv.FormatInt(n, 10), ""
}

// readNumber takes decimal numbers only: ParseFloat alone would take inf, nan,
// hexadecimal digits and underscores too.
func readNumber(text string) (canonical, msg string) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.Trim(text, "0123456789.eE+-") != "" {
		return "", shown(text) + " is not a number, or too large"
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(f+0, format, -1, 64), "" // +0 takes the sign off zero
}

// fallback is the value of p where none is given, in canonical notation if it
// has one: the default, or else the zero of the type.
func (p Param) fallback() string {
	if p.Default == "" {
		switch p.Type {
		case IntParam, NumberParam:
			return "0"
		case BoolParam:
			return "false"
		}
	}
	if canonical, msg := p.read(p.Default); msg == "" {
		return canonical
	}
	return p.Default
}

// allows reports whether a canonical value is among the choices of p.
func (p Param) allows(canonical string) bool {
	for _, choice := range p.Choices {
		if c, msg := p.read(choice); msg == "" && c == canonical {
			return true
		}
	}
	return len(p.Choices) == 0
}

// shown writes what somebody gave for people: short, in quotes.
func shown(text string) string { return strconv.Quote(cut(text, 60)) }
