package schedule

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// icalTime is a date, or a time on the wall of a zone.
type icalTime struct {
	wall int64 // seconds
	zone *time.Location
	date bool
}

// unix returns the first moment at which the wall shows t or, if the clock jumps
// over it, something later.
func (t icalTime) unix() int64 { return firstOf(t.zone, t.wall) }

// in returns t on the wall of zone; a date stays what it is.
func (t icalTime) in(zone *time.Location) icalTime {
	if t.date || t.zone == zone {
		return icalTime{t.wall, zone, t.date}
	}
	at := t.unix()
	return icalTime{wall: at + segmentAt(zone, at).offset, zone: zone}
}

// The forms of a time in an iCalendar file.
const (
	icalDate  = "20060102"
	icalLocal = "20060102T150405"
	icalUTC   = "20060102T150405Z"
)

// icalMoment reads 20261225, 20261225T180000 or 20261225T180000Z. zone is where
// the first two are.
func icalMoment(text string, zone *time.Location) (icalTime, error) {
	for _, form := range []string{icalDate, icalLocal, icalUTC} {
		if len(text) != len(form) {
			continue
		}
		t, err := time.Parse(form, text)
		if err != nil || t.Year() < 1601 {
			break
		}
		if form == icalUTC {
			zone = time.UTC
		}
		return icalTime{t.Unix(), zone, form == icalDate}, nil
	}
	return icalTime{}, fmt.Errorf("%q is not a time such as 20261225, 20261225T180000 or 20261225T180000Z, from 1601 on", clip(text))
}

var icalDuration = regexp.MustCompile(`^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$`)

// icalLength reads a duration such as P1D, PT8H30M or P2W as what it adds on the wall
// and what it adds in real time.
func icalLength(text string) (wall, exact int64, err error) {
	parts := icalDuration.FindStringSubmatch(text)
	if parts == nil || strings.Join(parts[1:], "") == "" {
		return 0, 0, fmt.Errorf("%q is not a duration such as P1D or PT8H30M", clip(text))
	}
	var n [6]int64
	for i, digits := range parts[1:] {
		if digits != "" {
			n[i], err = strconv.ParseInt(digits, 10, 64)
		}
		if err != nil {
			return 0, 0, errors.New("a part of the duration is too large")
		}
	}
	return (7*n[0] + n[1]) * daySeconds, n[2]*3600 + n[3]*60 + n[4], nil
}
