package importer

import (
	"strconv"
	"strings"

	"github.com/solocron/solocron/schedule"
)

// entry translates a line that runs a command.
func (t *table) entry(n int, line string) {
	body, quiet := strings.CutPrefix(line, "-")
	if quiet {
		t.note(n, "", Info, "the - before the schedule, which keeps a line out of the system's log, was taken off")
	}
	when, rest, why := splitSchedule(body)
	user := ""
	if why == "" && t.options.System {
		if user, rest = firstWord(rest); rest == "" {
			why = "has no command: is the column with the user missing?"
		}
	}
	if why == "" && rest == "" {
		why = "has no command"
	}
	if why != "" {
		t.lose(n, line, why)
		return
	}
	t.job(n, line, when, user, rest)
}

// splitSchedule takes the schedule off a line, or says why it has none.
func splitSchedule(line string) (when, rest, why string) {
	if strings.HasPrefix(line, "@") {
		when, rest = firstWord(line)
		switch when = strings.ToLower(when); when {
		case "@reboot":
			return "", "", "@reboot: a cluster has no moment at which it boots, and its replicas start at different times; start the command with the machine (systemd), or trigger a job with schedule: manual when you deploy"
		case "@every_minute":
			when = "* * * * *"
		}
		return when, rest, ""
	}
	rest = line
	var fields []string
	for range 5 {
		var field string
		if field, rest = firstWord(rest); field == "" {
			return "", "", "is neither a variable nor a schedule of five fields and a command"
		}
		fields = append(fields, field)
	}
	return strings.Join(fields, " "), rest, ""
}

// firstWord splits s after its first word.
func firstWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.TrimLeft(s[i:], " \t")
	}
	return s, ""
}

// job makes a job of a line.
func (t *table) job(n int, line, when, user, command string) {
	zone := t.zone
	if t.scheduled != "" {
		zone = t.scheduled
	}
	when, random := hashed(when)
	loc, _ := schedule.LoadZone(zone) // checked
	parsed, err := schedule.Parse(when, schedule.Options{Zone: loc, Key: "default/x"})
	if err != nil {
		t.lose(n, line, strings.TrimPrefix(err.Error(), "schedule "))
		return
	}
	text, input, percent := splitPercent(command)
	d := newDraft(n, t.names.unique(named(text)))
	d.comments = t.remarks
	d.quoted("schedule", when)
	if zone != t.zone {
		d.text("timeZone", zone)
	}
	if t.jitter > 0 {
		d.plain("jitter", strconv.Itoa(t.jitter)+"m")
	}
	if t.env.shell == "" {
		d.text("shell", withInput(text, input))
	} else {
		d.set("command", flow(t.env.shell, "-c", withInput(text, input)))
	}
	t.surroundings(d)
	t.remarks = nil
	d.user, d.zoneless = user, zone == t.zone && t.options.TimeZone == ""
	if t.place(d) {
		t.explain(d, parsed, when, random, percent)
	}
}

// surroundings adds environment and owner.
func (t *table) surroundings(d *draft) {
	if len(t.env.vars) > 0 {
		vars := pairs()
		for _, v := range t.env.vars {
			vars.Content = append(vars.Content, word(v.name), word(v.value))
		}
		d.set("env", vars)
	}
	if t.env.owner != "" {
		d.text("owner", clean(t.env.owner))
	}
}

// explain notes what there is to say about one line that was translated.
func (t *table) explain(d *draft, parsed *schedule.Schedule, when string, random bool, percent usage) {
	if random {
		t.note(d.line, d.name, Changed, "~ became H: a moment made from the job's name, the same every day and on every replica; cron draws one each time it reads the crontab")
	}
	for _, warning := range parsed.Warnings() {
		t.note(d.line, d.name, Changed, "%s", warning)
	}
	fields := strings.Fields(when)
	if len(fields) == 5 && fields[2] != "*" && fields[4] != "*" {
		rule := "either is enough"
		if fields[2][0] == '*' || fields[4][0] == '*' {
			rule = "both must match, because one begins with *"
		}
		t.note(d.line, d.name, Info, "day of month and day of week are both given: %s, as in cron", rule)
	}
	switch percent {
	case escaped:
		t.note(d.line, d.name, Info, `\%% became %%: here a percent sign is an ordinary character`)
	case stdin:
		t.note(d.line, d.name, Info, "what stands after %% is the standard input of the command, as in cron")
	}
}

// hashed writes cron's a~b, a moment at random in a range, as H(a-b).
func hashed(when string) (text string, random bool) {
	fields := strings.Fields(when)
	if len(fields) != 5 {
		return when, false
	}
	least, most := [5]string{"0", "0", "1", "1", "0"}, [5]string{"59", "23", "31", "12", "6"}
	for i, f := range fields {
		parts := strings.Split(f, ",")
		for k, p := range parts {
			from, to, ok := strings.Cut(p, "~")
			if !ok {
				continue
			}
			random = true
			if from == "" {
				from = least[i]
			}
			if to == "" {
				to = most[i]
			}
			parts[k] = "H(" + from + "-" + to + ")"
		}
		fields[i] = strings.Join(parts, ",")
	}
	return strings.Join(fields, " "), random
}
