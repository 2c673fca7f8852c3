package schedule

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Options are what a schedule needs to know besides its text. The zero value
// is UTC, five fields, and the usual rules when the clock changes.
type Options struct {
	// Zone is where the fields are read; nil means UTC. It must be a zone of
	// the IANA database, such as LoadZone returns.
	Zone *time.Location
	// Key is the identity of the job, namespace/name. It decides what H stands
	// for and the phase of @every. Without a key H is refused and the phase is 0.
	Key string
	// Seconds asks for six fields, seconds first.
	Seconds bool
	// Gap says what becomes of moments the clock jumps over.
	Gap Gap
	// Overlap says which pass counts when the clock shows a time twice.
	Overlap Overlap
}

// NeedsKey reports whether spec may mean something else for another Key, all other
// options being equal. It is quick and errs on the safe side: a schedule of digits
// and signs only is the same for every job, a letter may belong to an H or to @every.
func NeedsKey(spec string) bool { return strings.ContainsFunc(spec, unicode.IsLetter) }

// Gap says what becomes of a fixed moment that the clock jumps over.
type Gap uint8

// The ways to treat a gap.
const (
	GapRun  Gap = iota // once, at the first whole minute after the gap
	GapSkip            // not at all
)

// Overlap says which passes over a repeated stretch of the clock count.
type Overlap uint8

// The ways to treat an overlap.
const (
	OverlapAuto   Overlap = iota // a fixed schedule the first, a wildcard both
	OverlapFirst                 // the first pass only
	OverlapSecond                // the second pass only
	OverlapBoth                  // both passes
)

// String returns g as it is written in YAML.
func (g Gap) String() string {
	if g == GapSkip {
		return "skip"
	}
	return "run"
}

// UnmarshalText reads a Gap as it is written in YAML: run or skip.
func (g *Gap) UnmarshalText(text []byte) error {
	for v := GapRun; v <= GapSkip; v++ {
		if v.String() == string(text) {
			*g = v
			return nil
		}
	}
	return fmt.Errorf("gap %q: write run or skip", clip(string(text)))
}

// String returns o as it is written in YAML.
func (o Overlap) String() string {
	switch o {
	case OverlapFirst:
		return "first"
	case OverlapSecond:
		return "second"
	case OverlapBoth:
		return "both"
	default:
		return "auto"
	}
}

// UnmarshalText reads an Overlap as it is written in YAML: auto, first, second or both.
func (o *Overlap) UnmarshalText(text []byte) error {
	for v := OverlapAuto; v <= OverlapBoth; v++ {
		if v.String() == string(text) {
			*o = v
			return nil
		}
	}
	return fmt.Errorf("overlap %q: write auto, first, second or both", clip(string(text)))
}
