package admin

import (
	"slices"

	"github.com/solocron/solocron/scheduler"
)

// median is how long a run takes as a rule, in seconds: half of those of list that
// succeeded took no longer. Nil: none has.
func median(list []Outcome) *float64 {
	var took []float64
	for i := range list {
		if list[i].Status == string(scheduler.Succeeded) {
			took = append(took, list[i].Seconds)
		}
	}
	if len(took) == 0 {
		return nil
	}
	slices.Sort(took)
	return &took[(len(took)-1)/2]
}

// streak is how many of list, the latest first, ended in a way that nobody wanted, up to
// the first that did not. What was not run for a reason is looked past.
func streak(list []Outcome) int {
	n := 0
	for i := range list {
		switch status := list[i].Status; {
		case bad(status), status == string(scheduler.Missed):
			n++
		case status != string(scheduler.Skipped):
			return n
		}
	}
	return n
}

// foresee fills in the next moment at which each of some jobs will run, with what is
// special about it.
func (a *API) foresee(views []view) {
	for i := range views {
		v := &views[i]
		v.NextRuns = []Upcoming{}
		if v.NextRun == nil {
			continue
		}
		if u, err := a.upcoming(v.Status.Job, *v.NextRun); err == nil {
			v.NextRuns = append(v.NextRuns, u)
		}
	}
}
