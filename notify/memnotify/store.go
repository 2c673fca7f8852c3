package memnotify

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/solocron/solocron/notify"
)

// Store keeps everything in memory. The zero Store is ready.
type Store struct {
	mu      sync.Mutex
	records map[string]record
	outbox  map[string]*item // by channel and ID
	spent   map[string]spent // by channel
}

type record struct {
	notify.Record
	due time.Time
}

type item struct {
	notify.Item
	channel string
	visible time.Time
}

// spent is how many deliveries of a window are charged for.
type spent struct {
	window time.Time
	n      int
}

var _ notify.Store = (*Store)(nil)

// Load implements notify.Store.
func (s *Store) Load(_ context.Context, jobs []string) ([]notify.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]notify.Record, len(jobs))
	for i, job := range jobs {
		out[i] = s.records[job].Record
	}
	return out, nil
}

// Swap implements notify.Store.
func (s *Store) Swap(_ context.Context, changes []notify.Change) (swapped []bool, dropped int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.records == nil {
		s.records, s.outbox, s.spent = map[string]record{}, map[string]*item{}, map[string]spent{}
	}
	swapped = make([]bool, len(changes))
	for i, c := range changes {
		if s.records[c.Job].Version != c.Version {
			continue
		}
		swapped[i] = true
		s.records[c.Job] = record{notify.Record{Data: slices.Clone(c.Data), Version: c.Version + 1}, c.Due}
		for _, out := range c.Out {
			if len(s.outbox) >= notify.MaxOutbox {
				dropped++
				continue
			}
			s.outbox[key(out.Channel, out.ID)] = &item{
				notify.Item{ID: out.ID, Data: slices.Clone(out.Data), Made: c.Made}, out.Channel, c.Made,
			}
		}
	}
	return swapped, dropped, nil
}

func key(channel, id string) string { return channel + "/" + id }

// Due implements notify.Store.
func (s *Store) Due(_ context.Context, now time.Time, limit int) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for job, r := range s.records {
		if !r.due.IsZero() && !r.due.After(now) {
			list = append(list, job)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(s.records[a].due.Compare(s.records[b].due), strings.Compare(a, b))
	})
	return list[:min(len(list), limit)], nil
}

// Take implements notify.Store.
func (s *Store) Take(_ context.Context, c notify.Call) (notify.Taken, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*item
	for _, it := range s.outbox {
		if it.channel == c.Channel && !it.visible.After(c.Now) {
			list = append(list, it)
		}
	}
	slices.SortFunc(list, func(a, b *item) int {
		return cmp.Or(a.visible.Compare(b.visible), strings.Compare(a.ID, b.ID))
	})
	list = list[:min(len(list), c.Most)]
	window := c.Now.Truncate(c.Window)
	used := s.spent[c.Channel]
	if !used.window.Equal(window) {
		used = spent{window: window}
	}
	taken := notify.Taken{Deliveries: notify.Deliveries(len(list), c.Rate-used.n)}
	if taken.Deliveries == 0 {
		return taken, nil
	}
	used.n += taken.Deliveries
	s.spent[c.Channel] = used
	for _, it := range list {
		it.visible = c.Now.Add(c.Hold)
		it.Try++
		taken.Items = append(taken.Items, it.Item)
	}
	return taken, nil
}

// Settle implements notify.Store.
func (s *Store) Settle(_ context.Context, channel string, ends []notify.End) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, end := range ends {
		it := s.outbox[key(channel, end.ID)]
		switch {
		case it == nil:
		case end.Again.IsZero():
			delete(s.outbox, key(channel, end.ID))
		default:
			it.visible = end.Again
		}
	}
	return nil
}
