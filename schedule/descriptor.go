package schedule

import (
	"strings"
)

// parseDescriptor reads what begins with @; text is the trimmed spec.
func parseDescriptor(spec, text string, o Options) (moments, *ParseError) {
	word, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "@every":
		return parseEvery(spec, rest, o)
	case "@at":
		return parseAt(spec, rest, o)
	}
	fields := descriptor(word)
	switch {
	case fields == "":
		return nil, unknownDescriptor(spec, word)
	case rest != "":
		return nil, refuse(spec, word+" stands alone", "remove what follows it")
	}
	o.Seconds = false
	var none []string
	return parseFields(spec, fields, 0, o, &none)
}

// descriptor returns the five fields that word stands for.
func descriptor(word string) string {
	switch word {
	case "@hourly":
		return "0 * * * *"
	case "@daily", "@midnight":
		return "0 0 * * *"
	case "@weekly":
		return "0 0 * * 0"
	case "@monthly":
		return "0 0 1 * *"
	case "@yearly", "@annually":
		return "0 0 1 1 *"
	}
	return ""
}

// unknownDescriptor is the error about a word that begins with @.
func unknownDescriptor(spec, word string) *ParseError {
	e := &ParseError{
		Spec: clip(spec), Pos: strings.Index(spec, "@") + 1, Token: clip(word), Msg: "is not known",
		Fix: "write @hourly, @daily, @weekly, @monthly, @yearly, @every 15m or @at 2027-03-01T09:00",
	}
	lower := strings.ToLower(word)
	switch {
	case lower == "@reboot":
		e.Msg, e.Fix = "has no meaning in a cluster", "trigger the job from what starts, or write @every"
	case lower != word && (descriptor(lower) != "" || lower == "@every" || lower == "@at"):
		e.Fix = "write " + lower
	case strings.HasPrefix(lower, "@every"):
		e.Fix = "put a space after @every"
	}
	return e
}
