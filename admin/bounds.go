package admin

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/solocron/solocron/scheduler"
)

// An instant that comes from outside, or that is told, lies in these years. RFC 3339
// has four digits for a year: what is computed from a later one may not be writable,
// and no clock of a cluster has shown an earlier one.
const (
	firstYear = 1970
	lastYear  = 8999
)

// instantWords says it to people, and instantPattern in the description, which is
// where requests are held against it.
const (
	instantWords   = "a moment with its zone, such as 2026-11-29T01:30:00Z, whose year is 1970 to 8999"
	instantPattern = `^(19[7-9]\d|[2-8]\d{3})-`
)

// tellable reports whether an instant may be told.
func tellable(at time.Time) bool {
	return at.UTC().Year() >= firstYear && at.UTC().Year() <= lastYear
}

// told is at if it may be told; nil: there is none, as far as anybody will live to see.
func told(at *time.Time) *time.Time {
	if at == nil || !tellable(*at) {
		return nil
	}
	return at
}

// bounded holds the instants that an operation takes against the bounds. Huma has made
// the schemas from the types of the input, and checks each request by them.
func bounded(op *huma.Operation, registry huma.Registry) {
	b := bounder{registry, map[*huma.Schema]bool{}}
	for _, p := range op.Parameters {
		b.bound(p.Schema)
	}
	if op.RequestBody != nil {
		for _, content := range op.RequestBody.Content {
			b.bound(content.Schema)
		}
	}
}

// bounder walks through schemas, each once.
type bounder struct {
	registry huma.Registry
	seen     map[*huma.Schema]bool
}

func (b bounder) bound(s *huma.Schema) {
	if s != nil && s.Ref != "" {
		s = b.registry.SchemaFromRef(s.Ref)
	}
	if s == nil || b.seen[s] {
		return
	}
	b.seen[s] = true
	if s.Format == "date-time" {
		s.Pattern, s.PatternDescription = instantPattern, instantWords
		s.PrecomputeMessages()
	}
	for _, p := range s.Properties {
		b.bound(p)
	}
	b.bound(s.Items)
}

// instant reads one from a query that huma does not read.
func instant(name, text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || !tellable(at) {
		return at, notValid("query."+name, "is "+instantWords, text)
	}
	return at, nil
}

// place is where a page begins. It comes back from outside.
type place interface {
	// sound reports whether all instants in it may be asked about.
	sound() bool
}

func (s *spot) sound() bool { return s.Tick.IsZero() || tellable(s.Tick) }
func (d *Deed) sound() bool { return tellable(d.At) }
func (r *rank) sound() bool { return true } // it has nanoseconds, which do not reach far

// readPlace reads what token wrote.
func readPlace(raw []byte, p place) error {
	if err := json.Unmarshal(raw, p); err != nil {
		return err
	}
	if !p.sound() {
		return fmt.Errorf("no instant from %d to %d", firstYear, lastYear)
	}
	return nil
}

// prudent is an engine whose moments may all be told: what comes later does not come.
type prudent struct{ Engine }

const noMoreMoments = "the schedule has no further moments before the year 9000"

// Jobs lists all jobs.
func (p prudent) Jobs() []scheduler.Status {
	list := p.Engine.Jobs()
	for i := range list {
		bind(&list[i])
	}
	return list
}

// Job returns one of them.
func (p prudent) Job(name string) (scheduler.Status, error) {
	s, err := p.Engine.Job(name)
	bind(&s)
	return s, err
}

// Moment explains an instant by the schedule of a job.
func (p prudent) Moment(job string, at time.Time) (scheduler.Moment, error) {
	m, err := p.Engine.Moment(job, at)
	m.Prev, m.Next = told(m.Prev), told(m.Next)
	if !tellable(m.Release) {
		m.Release = time.Time{}
	}
	return m, err
}

func bind(s *scheduler.Status) {
	if s.Next != nil && told(s.Next) == nil {
		s.Next, s.NextNote = nil, noMoreMoments
	}
}
