package admin

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// excerpt is what of the output of a run somebody wants to see, and how.
type excerpt struct {
	events     bool // as events; else as text
	follow     bool
	timestamps bool
	attempt    int       // 0: of all attempts
	tail       int       // lines at the end; 0: all that is kept
	offset     int64     // what comes behind so many bytes
	since      time.Time // lines not before; zero: all
}

const (
	maxTail    = 10_000
	maxAttempt = 1000
	maxOffset  = 1 << 53 // bytes, as many as a number of JavaScript counts
)

func excerptOf(r *http.Request) (want excerpt, err error) {
	q := r.URL.Query()
	want.events = strings.Contains(r.Header.Get("Accept"), kindEvents)
	if want.follow, err = truth("follow", q.Get("follow"), want.events); err != nil {
		return want, err
	}
	if want.timestamps, err = truth("timestamps", q.Get("timestamps"), false); err != nil {
		return want, err
	}
	attempt, err := number("attempt", q.Get("attempt"), 1, maxAttempt)
	if err != nil {
		return want, err
	}
	tail, err := number("tail", q.Get("tail"), 1, maxTail)
	if err != nil {
		return want, err
	}
	if want.offset, err = number("offset", q.Get("offset"), 0, maxOffset); err != nil {
		return want, err
	}
	want.attempt, want.tail = int(attempt), int(tail)
	if want.tail > 0 && want.offset > 0 {
		return want, badRequest("Either tail or offset: the one counts from the end, the other from the beginning.")
	}
	if text := q.Get("since"); text != "" {
		if want.since, err = instant("since", text); err != nil {
			return want, err
		}
	}
	want.resume(r.Header.Get("Last-Event-ID"))
	want.follow = want.follow && r.Method != http.MethodHead
	return want, nil
}

// resume goes on where a client was cut off, whatever its address says: browsers come
// back with the same. What cannot be a place is none, as they cannot be told.
func (x *excerpt) resume(last string) {
	if at, err := strconv.ParseInt(last, 10, 64); err == nil && at >= 0 && at <= maxOffset {
		x.offset, x.tail = at, 0
	}
}

// truth reads true or false; if nothing is said it is as without.
func truth(name, text string, without bool) (bool, error) {
	switch text {
	case "":
		return without, nil
	case "true", "false":
		return text == "true", nil
	}
	return false, badRequest(name + " is true or false.")
}

// number reads a whole number; 0 if nothing is said.
func number(name, text string, least, most int64) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, badRequest(fmt.Sprintf("%s is a number from %d to %d.", name, least, most))
	}
	return n, nil
}
