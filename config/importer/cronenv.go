package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/solocron/solocron/schedule"
)

// setting is one variable of a crontab.
type setting struct{ name, value string }

const (
	maxVars  = 200         // that one crontab or container sets
	maxValue = 128<<10 - 1 // bytes of a variable, as Linux has it
)

// environment is what the lines so far have set for the lines below them.
type environment struct {
	shell string // "": /bin/sh
	owner string // to whom output was mailed
	vars  []setting
}

// set sets a variable that commands see.
func (e *environment) set(s setting) {
	e.vars = slices.DeleteFunc(slices.Clone(e.vars), func(old setting) bool { return old.name == s.name })
	e.vars = append(e.vars, s)
}

// assignment splits NAME=value, with blanks around the sign and quotes around either,
// as cron does. A schedule is none: no name stands before its first =.
func assignment(s string) (name, value string, ok bool) {
	name, rest := unquoted(s)
	if name == "" || strings.ContainsAny(name, " \t") && s[0] != '"' && s[0] != '\'' {
		return "", "", false
	}
	rest = strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(rest, "=") || !identifier(name) {
		return "", "", false
	}
	value = strings.TrimSpace(rest[1:])
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	return name, value, true
}

// unquoted takes the first word of s, up to a blank or =, out of its quotes.
func unquoted(s string) (word, rest string) {
	if s[0] == '"' || s[0] == '\'' {
		if i := strings.IndexByte(s[1:], s[0]); i > 0 {
			return s[1 : i+1], s[i+2:]
		}
		return "", s
	}
	if i := strings.IndexAny(s, "= \t"); i > 0 {
		return s[:i], s[i:]
	}
	return "", s
}

func identifier(s string) bool {
	return s != "" && (s[0] < '0' || s[0] > '9') && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// assign reads a variable. Some of them are settings of cron.
func (t *table) assign(n int, name, value string) {
	switch name {
	case "SHELL":
		t.env.shell = ""
		if value != "/bin/sh" {
			t.env.shell = value
			t.note(n, "", Info, "SHELL: the commands below it are given to that shell with -c")
		}
	case "MAILTO":
		t.mail(n, value)
	case "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING":
		t.note(n, "", Lost, "%s was about mail; nothing is mailed", name)
	case "CRON_TZ":
		t.cronZone(n, value)
	case "TZ":
		t.env.set(setting{name, value})
		t.note(n, "", Info, "TZ is set for the commands; most crons do not read schedules in it. If yours does, set timeZone")
	case "RANDOM_DELAY":
		minutes, err := strconv.Atoi(value)
		if err != nil || minutes < 0 || minutes > 24*60 {
			t.note(n, "", Lost, "RANDOM_DELAY is not a number of minutes")
			return
		}
		t.jitter = minutes
		t.note(n, "", Changed, "RANDOM_DELAY became jitter: the same delay for one tick on every replica, and never past the next tick")
	default:
		t.variable(n, name, value)
	}
}

// variable passes a variable on to the commands below it.
func (t *table) variable(n int, name, value string) {
	if strings.HasPrefix(name, "SOLOCRON_") {
		t.note(n, "", Lost, "the variable %s is one that the scheduler sets", name)
		return
	}
	if len(t.env.vars) == maxVars || len(value) > maxValue {
		t.note(n, "", Lost, "the variable %s is one too many or too long: at most %d, each of at most %d bytes", clean(name), maxVars, maxValue)
		return
	}
	t.env.set(setting{name, value})
	if secretive(name) && value != "" {
		t.note(n, "", Changed, "the variable %s looks like a secret and stands in the file: better { env: NAME } or { file: PATH }", name)
	}
}

// secretive reports whether the name of a variable says that its value is secret.
func secretive(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc([]string{"PASSWORD", "PASSWD", "SECRET", "TOKEN", "API_KEY", "APIKEY", "PRIVATE_KEY", "CREDENTIAL"}, func(s string) bool {
		return strings.Contains(upper, s)
	})
}

func (t *table) mail(n int, to string) {
	t.env.owner = to
	if to != "" {
		t.note(n, "", Lost, "MAILTO: nothing is mailed; the address became the owner of the jobs below, for people to ask")
	}
}

func (t *table) cronZone(n int, value string) {
	if _, err := schedule.LoadZone(value); err != nil {
		t.note(n, "", Lost, "CRON_TZ: %s; the jobs below are in %s", strings.TrimPrefix(err.Error(), "time zone "), t.zone)
		t.scheduled = ""
		return
	}
	t.scheduled = value
}
