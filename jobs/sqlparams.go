package jobs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// paramNames are the names that every report's query may use.
var paramNames = []string{"day", "tick", "run_id"}

// queryNames are the names that the query of r may use.
func (r *Report) queryNames() []string {
	names := slices.Clone(paramNames)
	for _, p := range r.Params {
		names = append(names, p.Name)
	}
	return names
}

// queryValues are what the names in the query of r mean in a run. Postgres knows
// what type it needs and reads it from text; SQLite compares what it is given.
func (r *Report) queryValues(run Run, d Dialect) map[string]any {
	values := map[string]any{
		"day":    run.Tick.UTC().Format("2006-01-02"),
		"tick":   run.tickText(),
		"run_id": run.ID,
	}
	for _, p := range r.Params {
		text, given := run.Params[p.Name]
		if !given {
			text = p.fallback()
		}
		values[p.Name] = text
		if d == SQLite {
			values[p.Name] = p.typed(text)
		}
	}
	return values
}

// typed is a canonical value as the type of p. A database without a type for
// true and false has 1 and 0.
func (p Param) typed(text string) any {
	switch p.Type {
	case IntParam:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case NumberParam:
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	case BoolParam:
		if text == "true" {
			return int64(1)
		}
		return int64(0)
	}
	return text
}

// reservedParams reports the parameters whose names mean something else in the
// query of a report.
func reservedParams(params []Param) error {
	var errs []error
	for i, p := range params {
		if slices.Contains(paramNames, p.Name) {
			errs = append(errs, &FieldError{
				Field: fmt.Sprintf("params[%d].name", i),
				Msg:   p.Name + " means something else in the query of a report: choose another name",
			})
		}
	}
	return errors.Join(errs...)
}

// boundQuery is a query in the driver's own notation.
type boundQuery struct {
	text  string
	names []string // of the parameters, in the order of their numbers
}

// args gives the parameters their values, in order.
func (q boundQuery) args(values map[string]any) []any {
	args := make([]any, len(q.names))
	for i, name := range q.names {
		args[i] = values[name]
	}
	return args
}

// bindParams turns every :name of a query into a numbered placeholder, so that
// values never become part of the text. Quoted text, comments, casts with ::
// and dollar quotes are left as they are. A name outside known is an error.
func bindParams(query string, d Dialect, known []string) (boundQuery, error) {
	var q boundQuery
	var out strings.Builder
	for rest := query; rest != ""; {
		n, isParam := nextToken(rest, d)
		token := rest[:n]
		rest = rest[n:]
		if !isParam {
			out.WriteString(token)
			continue
		}
		name := token[1:]
		if !slices.Contains(known, name) {
			return q, fmt.Errorf("unknown parameter %s; known are :%s", token, strings.Join(known, ", :"))
		}
		if !slices.Contains(q.names, name) {
			q.names = append(q.names, name)
		}
		out.WriteString(placeholder(d, slices.Index(q.names, name)+1))
	}
	q.text = out.String()
	return q, nil
}

// placeholder is the notation of parameter n, counted from 1.
func placeholder(d Dialect, n int) string {
	if d == Postgres {
		return "$" + strconv.Itoa(n)
	}
	return "?" + strconv.Itoa(n)
}

var (
	wordRE   = regexp.MustCompile(`^[A-Za-z_\x80-\xff][A-Za-z0-9_$\x80-\xff]*`)
	paramRE  = regexp.MustCompile(`^:[A-Za-z_][A-Za-z0-9_]*`)
	dollarRE = regexp.MustCompile(`^\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$`)
)

// nextToken returns the length of the first token of s, and whether it is a
// parameter. Only what decides about parameters is told apart.
func nextToken(s string, d Dialect) (n int, isParam bool) {
	switch c := s[0]; {
	case strings.HasPrefix(s, "--"):
		return through(s, 2, "\n"), false
	case strings.HasPrefix(s, "/*"):
		return comment(s, d), false
	case d == Postgres && (c == 'e' || c == 'E') && strings.HasPrefix(s[1:], "'"):
		return 1 + quoted(s[1:], '\'', true), false
	case c == '\'' || c == '"' || d == SQLite && c == '`':
		return quoted(s, c, false), false
	case d == SQLite && c == '[':
		return through(s, 1, "]"), false
	case d == Postgres && c == '$' && dollarRE.MatchString(s):
		tag := dollarRE.FindString(s)
		return through(s, len(tag), tag), false
	case strings.HasPrefix(s, "::"):
		return 2, false
	case c == ':' && paramRE.MatchString(s):
		return len(paramRE.FindString(s)), true
	}
	return max(1, len(wordRE.FindString(s))), false
}

// through is the length of s up to and with the first end after from, all of s if there is none.
func through(s string, from int, end string) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// quoted is the length of the quoted text that s begins with. A doubled quote
// is part of it, and so is one behind a backslash if escapes is set.
func quoted(s string, quote byte, escapes bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] != quote:
		case i+1 < len(s) && s[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(s)
}

// comment is the length of the block comment that s begins with. Those of
// Postgres nest.
func comment(s string, d Dialect) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			if depth == 0 || d == Postgres {
				depth++
			}
			i++
		case "*/":
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		}
	}
	return len(s)
}
