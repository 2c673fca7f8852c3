package limit

import (
	"strings"
	"time"
	"unicode/utf8"
)

// The sizes of texts, in bytes.
const (
	Job      = 512
	Run      = 900
	ID       = 300 // of a request or a replica
	Person   = 200
	Note     = 500
	Word     = 100 // verdicts, causes, versions
	Error    = 160
	TryError = 60
)

// Text is s in valid UTF-8, cut between runes to at most limit bytes.
func Text(s string, limit int) string {
	if len(s) > 4*limit { // what is far beyond need not be looked at
		s = s[:4*limit]
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit])
}

// Millis is t in milliseconds since 1970, or 0 for the zero time and for
// moments that do not fit into 13 digits.
func Millis(t time.Time) int64 {
	const most = 9_999_999_999_999
	if t.IsZero() {
		return 0
	}
	if ms := t.UnixMilli(); ms > 0 && ms <= most {
		return ms
	}
	return 0
}

// Moment is the opposite of Millis, in UTC.
func Moment(ms int64) time.Time {
	if ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func moment(t time.Time) time.Time { return Moment(Millis(t)) }

// Count is how many of at most most a caller gets who asks for n: 0 and less are all.
func Count(n, most int) int {
	if n <= 0 {
		return most
	}
	return min(n, most)
}
