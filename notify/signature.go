package notify

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// signature stands for all bad facts that people take for the same thing.
func signature(f Fact) string {
	switch f.Sort {
	case Bad:
		sum := sha256.Sum256([]byte(Normalized(f.Error)))
		const enough = 8 // bytes
		return string(Failure) + "/" + string(f.Verdict) + "/" + hex.EncodeToString(sum[:enough])
	case Clock, Good, Crashed, NotRun, Overdue, Nothing:
	}
	return string(kindOf(f.Sort)) + "/" + f.Reason
}

// Normalized is the text of an error without what differs each time: words that hold a
// digit, such as numbers, times, addresses, hashes and identifiers, are a #.
func Normalized(text string) string {
	var b strings.Builder
	before := ""
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), between) {
		if strings.ContainsAny(word, "0123456789") || hexadecimal(word) {
			word = "#"
		}
		if word == "#" && before == "#" {
			continue // a list of numbers is as one, however long
		}
		if before != "" {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		before = word
	}
	return b.String()
}

// between reports whether r divides words. Dots, colons and dashes do not: they
// hold times, addresses and identifiers together.
func between(r rune) bool {
	return r <= ' ' || strings.ContainsRune(`"'()[]{}<>,;=/|`, r)
}

// hexadecimal reports whether word may be a number in which no digit happens to be:
// letters from a to f alone, and too many for a word of English.
func hexadecimal(word string) bool {
	const long = 8
	return len(word) >= long && strings.Trim(word, "abcdef-") == ""
}

// short is text cut to limit bytes at a letter, without characters that move a cursor.
func short(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
