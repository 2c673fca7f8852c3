package schedule

import (
	"strconv"
	"strings"
	"time"
)

// canonical writes r so that equal texts mean equal rules: {from=... until=...
// jitter=5m0s "prod/a" skip=de-holidays:3fa9...}.
func (r *ruleset) canonical() string {
	var words []string
	if r.start != noStart {
		words = append(words, "from="+utc(r.start))
	}
	if r.end != noEnd {
		words = append(words, "until="+utc(r.end))
	}
	if r.jitter > 0 {
		words = append(words, "jitter="+r.jitter.String(), strconv.Quote(r.key))
	}
	action := "skip="
	if r.deferring {
		action = "defer="
	}
	for _, c := range r.exclude {
		words = append(words, action+strconv.Quote(c.name)+":"+c.hash)
	}
	return "{" + strings.Join(words, " ") + "}"
}

func utc(t int64) string { return time.Unix(t, 0).UTC().Format(time.RFC3339) }

// explain says in words what r does: sentences after that on the moments.
func (r *ruleset) explain(zone *time.Location) string {
	text := ""
	if r.start != noStart {
		text += ". Begins " + rfc(time.Unix(r.start, 0), zone)
	}
	if r.end != noEnd {
		text += ". Ends " + rfc(time.Unix(r.end, 0), zone)
	}
	if r.jitter > 0 {
		text += ". Each run starts up to " + briefly(r.jitter) + " later"
	}
	if len(r.exclude) == 0 {
		return text
	}
	names := make([]string, len(r.exclude))
	for i, c := range r.exclude {
		names[i] = c.name
	}
	if r.deferring {
		return text + ". Deferred to the end of " + sentenceList(names)
	}
	return text + ". Skipped during " + sentenceList(names)
}

// ruleNotes says what the rules of s do to tick, a note for each.
func (s *Schedule) ruleNotes(tick time.Time) []string {
	r := s.rules
	c, covered := covering(r.exclude, tick.Unix())
	if covered && !r.deferring {
		return []string{"excluded by " + c.name}
	}
	var notes []string
	base := tick.Unix()
	if covered {
		base = stretchEnd(r.exclude, base)
		shown := segmentAt(s.zone, base)
		w := base + shown.offset
		notes = append(notes, "deferred by "+c.name+" to "+wallDate(w)+" "+wallClock(w))
	}
	if late := s.lateness(base); late > 0 {
		notes = append(notes, "released "+later(late)+" later")
	}
	return notes
}

// later writes d as hours and minutes, with seconds if it has any; less than a
// second as it is.
func later(d time.Duration) string {
	if d < time.Second {
		return d.String()
	}
	return wallClock(int64(d / time.Second))
}

// briefly writes d without parts that are zero: 5m, not 5m0s.
func briefly(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
