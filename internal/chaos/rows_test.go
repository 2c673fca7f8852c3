package chaos_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/schedule"
	"github.com/solocron/solocron/scheduler"
)

// rows asks the API of r for the rows of a job about the ticks in [from, to].
func (r *replica) rows(job string, from, to time.Time) ([]admin.Run, error) {
	q := url.Values{"from": {from.UTC().Format(time.RFC3339)}, "to": {to.UTC().Format(time.RFC3339)}, "limit": {"1000"}}
	req := httptest.NewRequestWithContext(r.world.t.Context(), http.MethodGet, "http://localhost/api/v1/jobs/"+job+"/runs?"+q.Encode(), http.NoBody)
	rec := httptest.NewRecorder()
	r.api.ServeHTTP(rec, req)
	if rec.Code != http.StatusOK {
		return nil, fmt.Errorf("%s answers %d: %s", req.URL, rec.Code, rec.Body)
	}
	var list admin.Runs
	if err := json.Unmarshal(rec.Body.Bytes(), &list); err != nil {
		return nil, err
	}
	return list.Items, nil
}

// ticks lists the ticks of a job in (from, to].
func ticks(job string, from, to time.Time) ([]time.Time, error) {
	s, err := schedule.Parse(spec, schedule.Options{Key: job})
	if err != nil {
		return nil, err
	}
	var list []time.Time
	for at := s.Next(from); !at.IsZero() && !at.After(to); at = s.Next(at) {
		list = append(list, at.UTC())
	}
	return list, nil
}

// A count is how often each verdict was given.
type count map[string]int

func (c count) String() string {
	var words []string
	for _, v := range scheduler.Verdicts() {
		for verdict, n := range c {
			if strings.HasPrefix(verdict, string(v)) {
				words = append(words, fmt.Sprintf("%s %d", verdict, n))
			}
		}
	}
	return strings.Join(words, ", ")
}

// verdict is a verdict with its reason.
func verdict(x admin.Run) string {
	if x.Why == scheduler.ReasonNone {
		return string(x.Verdict)
	}
	return fmt.Sprintf("%s(%s)", x.Verdict, x.Why)
}

// unsettled says which ticks of the jobs of w in (from, to] do not have exactly
// one row, of a run that has ended, as the API of r says; and what verdicts the
// others have.
func (w *world) unsettled(r *replica, from, to time.Time) (open []string, verdicts count, err error) {
	verdicts = make(count)
	for _, j := range w.defs {
		list, err := ticks(j.name, from, to)
		if err != nil {
			return nil, nil, err
		}
		rows, err := r.rows(j.name, from, to)
		if err != nil {
			return nil, nil, err
		}
		byID := make(map[string][]admin.Run)
		for _, x := range rows {
			byID[x.ID] = append(byID[x.ID], x)
		}
		for _, at := range list {
			id := scheduler.Tick{Job: j.name, At: at}.ID()
			switch found := byID[id]; {
			case len(found) != 1:
				open = append(open, fmt.Sprintf("%s has %d rows", id, len(found)))
			case found[0].State != scheduler.RunEnded:
				open = append(open, fmt.Sprintf("%s is %s", id, found[0].State))
			default:
				verdicts[verdict(found[0])]++
				open = append(open, w.contradiction(id, found[0])...)
			}
		}
	}
	return open, verdicts, nil
}

// contradiction says where the row of a tick is not what the witness saw.
func (w *world) contradiction(id string, x admin.Run) []string {
	n := w.started(id)
	switch x.Verdict {
	case scheduler.Succeeded:
		if n != 1 {
			return []string{fmt.Sprintf("%s is recorded as succeeded and was started %d times", id, n)}
		}
	case scheduler.Skipped, scheduler.Missed:
		if n != 0 {
			return []string{fmt.Sprintf("%s is recorded as %s and was started", id, verdict(x))}
		}
	case scheduler.Failed, scheduler.TimedOut, scheduler.Cancelled, scheduler.Interrupted, scheduler.LeaseLost:
	}
	return nil
}

// settleLimit is how long it may take until every tick in (from, to] has a row: the
// jobs catch up with every tick, one after the other, so that the slowest of them
// needs its time for each; ticks whose decider could not say so are found by the
// janitor, which waits 20 s first. Whatever else it takes on a busy machine is within
// the minute and a half.
func (w *world) settleLimit(from, to time.Time) time.Duration {
	longest := time.Duration(0)
	for _, j := range w.defs {
		longest = max(longest, j.takes)
	}
	ticks := to.Sub(from)/time.Second + 2 // of spec; a run before from may still go on
	return ticks*longest + 90*time.Second
}

// judge waits until every tick in (from, to] has its one row, as the API of r
// says, and reports which has not, and every promise that was broken. It returns
// the verdicts.
func (w *world) judge(r *replica, from, to time.Time) count {
	w.t.Helper()
	began := time.Now()
	var open []string
	var verdicts count
	var err error
	within(w.t.Context(), w.settleLimit(from, to), func() bool {
		open, verdicts, err = w.unsettled(r, from, to)
		return err == nil && len(open) == 0
	})
	w.t.Logf("settled after %s: %s", time.Since(began).Round(100*time.Millisecond), verdicts)
	if err != nil {
		w.t.Errorf("asking for the rows: %v", err)
	}
	for _, x := range append(open, w.broken()...) {
		w.t.Error(x)
	}
	return verdicts
}
