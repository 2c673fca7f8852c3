package preflight

import (
	"slices"
	"strings"
)

// State is what a check came to.
type State string

// The states. Unknown is not OK: the server does not tell.
const (
	OK      State = "ok"
	Unknown State = "unknown"
	Warn    State = "warn"
	Fail    State = "fail"
)

// Row is one check.
type Row struct {
	Check string `json:"check"` // a word or two
	State State  `json:"state"`
	Found string `json:"found"`         // what was found
	Fix   string `json:"fix,omitempty"` // what to do about it; "" if there is nothing to do
}

// String is r in one line, for a log.
func (r Row) String() string {
	text := r.Check + ": " + r.Found
	if r.Fix != "" {
		text += "; " + r.Fix
	}
	return text
}

// Failed reports whether rows are not good enough: one failed or, if strict, one
// is not OK.
func Failed(rows []Row, strict bool) bool {
	return slices.ContainsFunc(rows, func(r Row) bool { return r.State == Fail || strict && r.State != OK })
}

// Facts reads an answer to INFO.
func Facts(info string) map[string]string {
	facts := make(map[string]string)
	for line := range strings.Lines(info) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			facts[name] = value
		}
	}
	return facts
}
