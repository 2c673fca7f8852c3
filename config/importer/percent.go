package importer

import "strings"

// usage says what a command does with percent signs.
type usage uint8

const (
	noPercent usage = iota
	escaped         // only with a backslash before them
	stdin           // they begin the standard input
)

// splitPercent reads percent signs as cron does: \% is one, the first other one
// ends the command, and those after it end lines of its standard input.
func splitPercent(command string) (text string, input []string, u usage) {
	var parts []string
	var b strings.Builder
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && i+1 < len(command) && command[i+1] == '%':
			b.WriteByte('%')
			i++
			u = max(u, escaped)
		case c == '%':
			parts = append(parts, b.String())
			b.Reset()
			u = stdin
		default:
			b.WriteByte(c)
		}
	}
	parts = append(parts, b.String())
	return strings.TrimRight(parts[0], " \t"), parts[1:], u
}

// withInput is a shell text that gives the lines of input to text.
func withInput(text string, input []string) string {
	if n := len(input); n > 0 && input[n-1] == "" { // the line before it has its end anyway
		input = input[:n-1]
	}
	if len(input) == 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(`printf '%s\n'`)
	for _, line := range input {
		b.WriteString(" '" + strings.ReplaceAll(line, "'", `'\''`) + "'")
	}
	// The brace stands on a line of its own: the text may end with a comment.
	return b.String() + " | {\n" + text + "\n}\n"
}
