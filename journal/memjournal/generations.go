package memjournal

import (
	"context"
	"slices"
	"time"

	"github.com/solocron/solocron/journal/internal/limit"
	"github.com/solocron/solocron/scheduler"
)

var _ scheduler.Generations = (*Journal)(nil)

const maxOrder = 64 // configurations that are remembered

// order is which configurations there are, and who has which.
type order struct {
	known   map[string]rank     // by revision
	present map[string]presence // by replica
}

type rank struct{ generation, number int64 }

type presence struct {
	revision string
	at       time.Time
}

// Enrol implements scheduler.Generations.
func (j *Journal) Enrol(_ context.Context, e scheduler.Enrolment) (scheduler.Enrolled, error) {
	if err := limit.Enrolment(e); err != nil {
		return scheduler.Enrolled{}, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now()
	if j.order.known == nil {
		j.order = order{make(map[string]rank), make(map[string]presence)}
	}
	j.order.present[e.Replica] = presence{e.Revision, now}
	others := j.order.others(e.Replica, now)
	return scheduler.Enrolled{Generation: j.order.place(e, others, now), Newest: j.order.top(), Others: others}, nil
}

// others lists what others than a replica have, and drops who has gone long since.
func (o *order) others(replica string, now time.Time) []string {
	list := []string{}
	for id, p := range o.present {
		switch age := now.Sub(p.at); {
		case age > 100*scheduler.EnrolLife:
			delete(o.present, id)
		case age <= scheduler.EnrolLife && id != replica:
			list = append(list, p.revision)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (o *order) top() int64 {
	var most int64
	for _, r := range o.known {
		most = max(most, r.generation)
	}
	return most
}

// place returns the generation of what e has, and raises it if it is the newest.
func (o *order) place(e scheduler.Enrolment, others []string, now time.Time) int64 {
	mine, seen := o.known[e.Revision]
	var best rank
	for _, revision := range others {
		if r, ok := o.known[revision]; ok && revision != e.Revision {
			best.generation, best.number = max(best.generation, r.generation), max(best.number, r.number)
		}
	}
	newest := e.Number > best.number || e.Number == best.number && (!seen || mine.generation > best.generation)
	switch {
	case !newest && !seen:
		return 1
	case !newest, seen && mine.generation == o.top() && mine.generation > e.Above:
		return mine.generation
	}
	mine = rank{max(o.top()+1, now.UnixMilli(), e.Above+1), e.Number}
	if !seen && len(o.known) >= maxOrder {
		o.drop(others)
	}
	o.known[e.Revision] = mine
	return mine.generation
}

// drop forgets the oldest configuration that nobody has.
func (o *order) drop(others []string) {
	oldest := ""
	for revision, r := range o.known {
		if !slices.Contains(others, revision) && (oldest == "" || r.generation < o.known[oldest].generation) {
			oldest = revision
		}
	}
	delete(o.known, oldest)
}

// Defined implements scheduler.Generations.
func (j *Journal) Defined(context.Context) ([]string, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var names []string
	for name, b := range j.books {
		if b.adopted {
			names = append(names, name)
		}
	}
	return names, nil
}

// Forget implements scheduler.Generations.
func (j *Journal) Forget(_ context.Context, jobs []string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, name := range jobs {
		if b := j.books[name]; b != nil {
			b.adopted, b.def, b.hash, b.since, b.epoch = false, "", "", time.Time{}, 0
		}
		delete(j.marks, name)
	}
	return nil
}
