package importer

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/solocron/solocron/schedule"
)

// Options says how a crontab is read.
type Options struct {
	Name     string // what is imported, for the first line of the file: crontab -l, /etc/crontab
	System   bool   // a user stands before each command, as in /etc/crontab and /etc/cron.d
	TimeZone string // IANA name of the zone that cron ran in; "": UTC, with a note
}

// Crontab translates a crontab. The error is about reading it, or about o; a line
// that is wrong is a note.
func Crontab(r io.Reader, o Options) (Result, error) {
	data, err := read(r)
	if err != nil {
		return Result{}, fmt.Errorf("crontab: %w", err)
	}
	t := &table{file: file{names: names{}, zone: "UTC"}, options: o}
	t.origin = fmt.Sprintf("Made from %s by scheduler config import crontab; scheduler config validate checks it.", cmp.Or(o.Name, "a crontab"))
	if o.TimeZone != "" {
		if _, err := schedule.LoadZone(o.TimeZone); err != nil {
			return Result{}, fmt.Errorf("crontab: %w", err)
		}
		t.zone = o.TimeZone
	}
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		t.read(i+1, string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	if bytes.Contains(data, []byte("\r\n")) {
		t.note(0, "", Info, "the lines end as on Windows: the carriage returns, which cron hands to the shell, were taken off")
	}
	t.close()
	return t.result(), nil
}

// table is a crontab while it is read.
type table struct {
	file
	options   Options
	env       environment
	remarks   []string // comments that stand above what comes next
	scheduled string   // zone that CRON_TZ gave; "": none
	jitter    int      // minutes of RANDOM_DELAY
}

// kind is what a line of a crontab is.
type kind uint8

const (
	blank kind = iota
	comment
	variable
	entryLine
)

// kindOf tells the lines of a crontab apart, as cron does.
func kindOf(line string) kind {
	s := strings.TrimLeft(line, " \t")
	switch {
	case s == "":
		return blank
	case s[0] == '#':
		return comment
	}
	if name, _, ok := assignment(s); ok && name != "" {
		return variable
	}
	return entryLine
}

// read translates one line.
func (t *table) read(n int, line string) {
	if !utf8.ValidString(line) || strings.ContainsFunc(line, control) {
		t.lose(n, line, "holds a byte that is no text")
		return
	}
	switch kindOf(line) {
	case blank:
		t.loosen()
	case comment:
		text := strings.TrimLeft(strings.TrimLeft(line, " \t"), "#")
		t.remarks = append(t.remarks, clean(strings.TrimPrefix(text, " ")))
	case variable:
		t.loosen()
		name, value, _ := assignment(strings.TrimLeft(line, " \t"))
		t.assign(n, name, value)
	default:
		t.entry(n, strings.TrimSpace(line))
	}
}

func control(r rune) bool { return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 }

// loosen lets the comments above a blank line stand by themselves.
func (t *table) loosen() {
	t.file.remark(t.remarks...)
	t.remarks = nil
}

// lose keeps a line that was not translated as a comment.
func (t *table) lose(n int, line, why string) {
	t.note(n, "", Lost, "%s; the line is a comment now", why)
	t.remarks = append(t.remarks, fmt.Sprintf("line %d was not translated: %s", n, line))
	t.loosen()
}

// close notes what holds for all jobs.
func (t *table) close() {
	t.loosen()
	t.settle()
	if t.jobs == 0 {
		t.note(0, "", Lost, "there is no job in it")
		return
	}
	users, zoneless := map[string]int{}, false
	for _, p := range t.pieces {
		if p.draft != nil {
			zoneless = zoneless || p.draft.zoneless
			users[p.draft.user]++
		}
	}
	delete(users, "")
	if zoneless {
		t.note(0, "", Changed, "times are read in UTC; cron read them in the zone of its host: set timeZone in defaults")
	}
	for _, msg := range []string{
		"a run that is still on when the next is due: the next is skipped; cron starts it beside the first (overlapPolicy: allow does too)",
		"a run is ended after 1h; cron has no limit (timeout: 0 has none either)",
		"a run that could not start in time, as during a restart, starts up to 10m late (startingDeadline); cron leaves it out (catchup: none)",
		"each job runs once in the whole cluster, on any replica; cron runs it on every host that has the crontab",
		"commands run as the user of the scheduler, in its directory and with its environment; cron sets HOME, LOGNAME and a short PATH and starts in HOME",
		"output is kept with each run, 1Mi of it; nothing is mailed",
	} {
		t.note(0, "", Changed, "%s", msg)
	}
	for _, user := range slices.Sorted(maps.Keys(users)) {
		t.note(0, "", Lost, "%s ran as %q, and will run as the user of the scheduler: start it as that user, or the command by sudo -u or runuser", lineCount(users[user]), clean(user))
	}
}

func lineCount(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
