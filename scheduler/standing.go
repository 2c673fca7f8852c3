package scheduler

import (
	"context"
	"fmt"
	"time"
)

// A turn is what the loop must know of an entry: where it begins, or that its
// standing is another.
type turn struct {
	entry  *entry
	from   time.Time // where its cursor begins, unless it is further
	epoch  int64
	asleep bool
	fresh  bool // the entry is new here
}

// stand asks for the standing of entries in a configuration of this generation. It
// returns those whose standing has changed; all of them if they are fresh here.
func (s *Scheduler) stand(ctx context.Context, entries []*entry, generation int64, fresh bool) ([]turn, error) {
	adopted, err := s.adopt(ctx, entries, generation)
	if err != nil {
		return nil, err
	}
	room := 0
	if fresh {
		room = len(entries) // all of them; else most often few
	}
	turns, names, known := make([]turn, 0, room), make([]string, 0, room), make([]Adopted, 0, room)
	for i, e := range entries {
		epoch := standingOf(adopted[i], generation)
		asleep := adopted[i].Superseded
		t := turn{entry: e, epoch: epoch, asleep: asleep, fresh: fresh}
		if !t.fresh && asleep == e.asleep.Load() && epoch == e.epoch.Load() {
			continue
		}
		turns, names, known = append(turns, t), append(names, e.job.Name), append(known, adopted[i])
	}
	if len(turns) == 0 {
		return nil, nil
	}
	records, err := s.read(ctx, names)
	if err != nil {
		return nil, err
	}
	now := s.cfg.Now()
	for i := range turns {
		turns[i].from = resume(records[i], known[i], turns[i].entry.group.def, now)
		s.elector.Heard(names[i], records[i].Decided)
	}
	return turns, nil
}

// standingOf is the generation that claims are made for by who has adopted a
// definition in a configuration of this generation: that of the definition, or its
// own if that is older.
func standingOf(a Adopted, generation int64) int64 {
	switch {
	case generation == 0:
		return 0
	case a.Superseded:
		return generation
	}
	return a.Epoch
}

// adopt tells the journal of definitions.
func (s *Scheduler) adopt(ctx context.Context, entries []*entry, generation int64) ([]Adopted, error) {
	if s.cfg.Journal == nil {
		return make([]Adopted, len(entries)), nil
	}
	defs := make([]Definition, len(entries))
	for i, e := range entries {
		defs[i] = e.definition(generation)
	}
	ctx, cancel := context.WithTimeout(ctx, readTry)
	defer cancel()
	adopted, err := s.cfg.Journal.Adopt(ctx, defs)
	if err != nil {
		return nil, fmt.Errorf("adopt the definitions: %w", err)
	}
	return adopted, nil
}
