package schedule

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits on what is read.
const (
	maxSpec  = 1024 // bytes of one schedule
	maxSpecs = 64   // schedules of one job
)

// Parse reads one schedule. Its error is a *ParseError.
func Parse(spec string, o Options) (*Schedule, error) {
	zone, err := o.zone(spec)
	if err != nil {
		return nil, err
	}
	o.Zone = zone
	s := &Schedule{spec: strings.TrimSpace(clipSpec(spec)), zone: zone, parts: make([]moments, 1)}
	part, perr := parseMoments(spec, o, &s.warnings)
	if perr != nil {
		return nil, perr
	}
	s.parts[0] = part
	return s, nil
}

// ParseAll reads the schedules of one job as their union: moments that coincide
// are one moment. It wants from 1 to 64 of them; the error names the first bad one.
func ParseAll(specs []string, o Options) (*Schedule, error) {
	switch {
	case len(specs) == 0:
		return nil, refuse("", "there is no schedule", `write at least one, such as "30 2 * * *"`)
	case len(specs) > maxSpecs:
		return nil, refuse(specs[0], fmt.Sprintf("%d schedules are too many for one job", len(specs)),
			fmt.Sprintf("at most %d", maxSpecs))
	}
	all := &Schedule{parts: make([]moments, 0, len(specs))}
	texts := make([]string, 0, len(specs))
	for i, spec := range specs {
		one, err := Parse(spec, o)
		if err != nil {
			if len(specs) == 1 {
				return nil, err
			}
			return nil, fmt.Errorf("number %d of %d: %w", i+1, len(specs), err)
		}
		all.zone = one.zone
		all.parts = append(all.parts, one.parts...)
		all.warnings = append(all.warnings, one.warnings...)
		texts = append(texts, one.spec)
	}
	all.spec = strings.Join(texts, " | ")
	return all, nil
}

// zone returns the location to read spec in, and refuses one that is not the
// same on every host.
func (o Options) zone(spec string) (*time.Location, error) {
	if o.Zone == nil || o.Zone == time.UTC {
		return time.UTC, nil
	}
	if !knownZone(o.Zone.String()) {
		return nil, refuse(spec, fmt.Sprintf("time zone %q is not in the IANA database", o.Zone), "use LoadZone")
	}
	return o.Zone, nil
}

// parseMoments decides which of the forms spec has.
func parseMoments(spec string, o Options, warnings *[]string) (moments, *ParseError) {
	if err := checkText(spec); err != nil {
		return nil, err
	}
	text, offset, err := afterZone(spec, o)
	if err != nil {
		return nil, err
	}
	if text[0] == '@' {
		return parseDescriptor(spec, text, o)
	}
	return parseFields(spec, text, offset, o, warnings)
}

// checkText refuses what no schedule contains, before anything looks closer.
func checkText(spec string) *ParseError {
	if len(spec) > maxSpec {
		return refuse(spec, fmt.Sprintf("%d bytes are too long", len(spec)), fmt.Sprintf("at most %d", maxSpec))
	}
	body := strings.TrimSpace(spec)
	if body == "" {
		return refuse(spec, "the schedule is empty", `write five fields, such as "30 2 * * *"`)
	}
	start := strings.Index(spec, body)
	for i := range len(body) {
		if c := body[i]; (c >= ' ' && c < 0x7f) || c == '\t' {
			continue
		}
		return strange(spec, start+i)
	}
	return nil
}

// strange is the error about the character at offset i of spec.
func strange(spec string, i int) *ParseError {
	r, size := utf8.DecodeRuneInString(spec[i:])
	e := &ParseError{Spec: clip(spec), Pos: utf8.RuneCountInString(spec[:i]) + 1, Token: spec[i : i+size]}
	switch {
	case r == utf8.RuneError && size <= 1:
		e.Msg, e.Fix = "is not UTF-8", "write plain ASCII"
	case r >= 0xff01 && r <= 0xff5e:
		e.Msg = fmt.Sprintf("is the full-width character %U", r)
		e.Fix = fmt.Sprintf("write %q", r-0xfee0)
	case r < 0x80:
		e.Msg, e.Fix = "is a control character", "separate fields by spaces, on one line"
	default:
		e.Msg, e.Fix = fmt.Sprintf("(%U) does not belong in a schedule", r), "write plain ASCII"
	}
	return e
}

// afterZone returns what follows a CRON_TZ= that repeats the job's own zone, with
// its offset in spec. Any other zone in the text is refused: the zone of a
// job stands in one place.
func afterZone(spec string, o Options) (text string, offset int, err *ParseError) {
	text = strings.TrimSpace(spec)
	offset = strings.Index(spec, text)
	eq := strings.IndexByte(text, '=')
	if eq < 0 || (!strings.EqualFold(text[:eq], "TZ") && !strings.EqualFold(text[:eq], "CRON_TZ")) {
		return text, offset, nil
	}
	name, _, _ := strings.Cut(text[eq+1:], " ")
	e := &ParseError{Spec: clip(spec), Pos: utf8.RuneCountInString(spec[:offset]) + 1, Token: clip(text[:eq+1] + name)}
	rest := strings.TrimLeft(text[eq+1+len(name):], " \t")
	switch {
	case rest == "":
		e.Msg, e.Fix = "is not followed by a space and a schedule", "write the five fields, and the zone as timeZone:"
	case name != o.Zone.String():
		e.Msg = fmt.Sprintf("disagrees with the job's time zone %s", o.Zone)
		e.Fix = "remove it and set timeZone:"
	case text[:eq] != "CRON_TZ":
		e.Msg, e.Fix = "does not belong in a schedule", "remove it: timeZone: says so already"
	default:
		return rest, offset + len(text) - len(rest), nil
	}
	return "", 0, e
}

// clipSpec keeps a text that will be refused from being held in full.
func clipSpec(spec string) string { return spec[:min(len(spec), maxSpec)] }
