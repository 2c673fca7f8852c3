package jobs

import "strings"

// minRedacted is the length in bytes from which a secret is looked for in
// text. Shorter ones would blot out ordinary words.
const minRedacted = 6

// redactor masks the values of secrets in text that people will read.
type redactor struct{ pairs []string }

// add makes value, which was read from s, unreadable in later text. What
// stands literally in the YAML is not masked: it was harmless enough to be
// written there.
func (r *redactor) add(s Secret, value string) {
	if (s.Env != "" || s.File != "") && len(value) >= minRedacted {
		r.pairs = append(r.pairs, value, s.String())
	}
}

// replacer returns the finished mask, nil if nothing is to be hidden.
func (r *redactor) replacer() *strings.Replacer {
	if len(r.pairs) == 0 {
		return nil
	}
	return strings.NewReplacer(r.pairs...)
}

// redact masks text with m, which may be nil.
func redact(m *strings.Replacer, text string) string {
	if m == nil {
		return text
	}
	return m.Replace(text)
}
