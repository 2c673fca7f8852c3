package importer

import (
	"strings"

	"github.com/solocron/solocron/schedule"
)

// when translates schedule and zone.
func (o *object) when() {
	path := []string{"spec", "schedule"}
	spec, zone := strings.TrimSpace(o.Spec.Schedule), o.Spec.TimeZone
	for _, prefix := range []string{"CRON_TZ=", "TZ="} {
		if rest, ok := strings.CutPrefix(spec, prefix); ok {
			inline, after := firstWord(rest)
			if zone == "" {
				zone = inline
			}
			o.say(Info, path, "the zone in the schedule became timeZone")
			spec = after
		}
	}
	spec, changed := sameDays(spec)
	if changed {
		o.say(Info, path, "the schedule is written in another way that means the same: in Kubernetes */2 in a day field does not make both fields count, here it would")
	}
	if strings.HasPrefix(spec, "@every") {
		o.say(Changed, path, "@every counts from a fixed moment, the same on every replica; Kubernetes counts from the last run")
	}
	o.draft.quoted("schedule", spec)
	if zone == "" {
		o.draft.zoneless = true
		return
	}
	o.draft.text("timeZone", zone)
	if loc, err := schedule.LoadZone(zone); err == nil {
		if s, err := schedule.Parse(spec, schedule.Options{Zone: loc, Key: "default/" + o.draft.name}); err == nil {
			for _, warning := range s.Warnings() {
				o.say(Changed, path, "%s", warning)
			}
		}
	}
}

// sameDays keeps the days of a schedule as Kubernetes reads it. There only a field
// that is * or ? makes both day fields count; here one that begins with either
// does, */2 too.
func sameDays(spec string) (text string, changed bool) {
	fields := strings.Fields(spec)
	if len(fields) != 5 || every(fields[2]) || every(fields[4]) {
		return spec, false
	}
	for i, full := range map[int]string{2: "1-31", 4: "0-6"} {
		if field := fields[i]; field[0] == '*' || field[0] == '?' {
			fields[i] = full + field[1:]
			changed = true
		}
	}
	if !changed {
		return spec, false
	}
	return strings.Join(fields, " "), true
}

// every reports whether a day field lets the other one decide: * or ?, also among
// others and with the step 1.
func every(field string) bool {
	for part := range strings.SplitSeq(field, ",") {
		switch part {
		case "*", "?", "*/1", "?/1":
			return true
		}
	}
	return false
}
