package redisnotify

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/notify"
)

var (
	//go:embed load.lua
	loadScript string
	//go:embed swap.lua
	swapScript string
	//go:embed due.lua
	dueScript string
	//go:embed take.lua
	takeScript string
	//go:embed settle.lua
	settleScript string
)

// Redis runs scripts. What Eval answers are strings, int64 and []any of those.
type Redis interface {
	Eval(ctx context.Context, script string, keys []string, args ...any) (any, error)
}

// Store keeps everything in one Redis, in one hash slot.
type Store struct {
	rdb  Redis
	head string // of all keys
}

var _ notify.Store = (*Store)(nil)

var allowedName = regexp.MustCompile(`^[A-Za-z0-9._~/:-]{1,100}$`)

// New returns a Store under prefix and namespace, which are 1 to 100 bytes of
// A-Z a-z 0-9 . _ ~ / : -. It sends nothing.
func New(rdb Redis, prefix, namespace string) (*Store, error) {
	if !allowedName.MatchString(prefix) || !allowedName.MatchString(namespace) {
		return nil, fmt.Errorf("redis key prefix %q, namespace %q: use 1 to 100 of A-Z a-z 0-9 . _ ~ / : - in each", prefix, namespace)
	}
	return &Store{rdb: rdb, head: prefix + ":{" + namespace + ".n}:"}, nil
}

func (s *Store) key(name string) string { return s.head + name }

// field is where the outbox keeps a message of a channel, with an ID added.
func field(channel string) string { return channel + "/" }

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

func span(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Load implements notify.Store.
func (s *Store) Load(ctx context.Context, jobs []string) ([]notify.Record, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	keys := make([]string, len(jobs))
	for i, job := range jobs {
		keys[i] = s.key("state:" + job)
	}
	answer, err := s.run(ctx, loadScript, keys)
	if err != nil {
		return nil, err
	}
	const each = 2
	if len(answer) != each*len(jobs) {
		return nil, errAnswer
	}
	out := make([]notify.Record, len(jobs))
	for i := range out {
		version, data := text(answer[each*i]), text(answer[each*i+1])
		if version == "" {
			continue
		}
		if out[i].Version, err = strconv.ParseInt(version, 10, 64); err != nil {
			return nil, errAnswer
		}
		out[i].Data = []byte(data)
	}
	return out, nil
}

// Swap implements notify.Store.
func (s *Store) Swap(ctx context.Context, changes []notify.Change) (swapped []bool, dropped int, err error) {
	if len(changes) == 0 {
		return nil, 0, nil
	}
	b := swapping{store: s, queue: map[string]int{}}
	for i := range changes {
		b.add(&changes[i])
	}
	answer, err := s.run(ctx, swapScript, b.keys(), b.all()...)
	if err != nil {
		return nil, 0, err
	}
	if len(answer) != 1+len(changes) {
		return nil, 0, errAnswer
	}
	swapped = make([]bool, len(changes))
	for i := range swapped {
		swapped[i] = whole(answer[1+i]) == 1
	}
	return swapped, int(whole(answer[0])), nil
}

// swapping is what swap.lua is called with.
type swapping struct {
	store  *Store
	queue  map[string]int // number of a channel's queue, from 1
	queues []string
	states []string
	args   []any
}

func (b *swapping) add(c *notify.Change) {
	due := ""
	if !c.Due.IsZero() {
		due = millis(c.Due)
	}
	b.states = append(b.states, b.store.key("state:"+c.Job))
	b.args = append(b.args, c.Job, strconv.FormatInt(c.Version, 10), strconv.FormatInt(c.Version+1, 10), c.Data, due, millis(c.Made), len(c.Out))
	for _, out := range c.Out {
		if b.queue[out.Channel] == 0 {
			b.queues = append(b.queues, b.store.key("out:"+out.Channel))
			b.queue[out.Channel] = len(b.queues)
		}
		b.args = append(b.args, b.queue[out.Channel], out.ID, field(out.Channel)+out.ID, out.Data)
	}
}

func (b *swapping) keys() []string {
	keys := []string{b.store.key("due"), b.store.key("items"), b.store.key("tries")}
	return append(append(keys, b.queues...), b.states...)
}

func (b *swapping) all() []any {
	head := []any{span(notify.StateLife), span(notify.OutboxLife), notify.MaxOutbox, len(b.queues)}
	return append(head, b.args...)
}

// Due implements notify.Store.
func (s *Store) Due(ctx context.Context, now time.Time, limit int) ([]string, error) {
	answer, err := s.run(ctx, dueScript, []string{s.key("due")}, millis(now), limit)
	if err != nil {
		return nil, err
	}
	var jobs []string
	for _, job := range answer {
		jobs = append(jobs, text(job))
	}
	return jobs, nil
}

// Take implements notify.Store.
func (s *Store) Take(ctx context.Context, c notify.Call) (notify.Taken, error) {
	keys := []string{s.key("out:" + c.Channel), s.key("items"), s.key("tries"), s.key("rate:" + c.Channel)}
	answer, err := s.run(ctx, takeScript, keys, millis(c.Now), millis(c.Now.Add(c.Hold)), c.Most, c.Rate,
		millis(c.Now.Truncate(c.Window)), span(c.Window), field(c.Channel), span(notify.OutboxLife))
	if err != nil {
		return notify.Taken{}, err
	}
	const each = 3
	if len(answer)%each != 1 {
		return notify.Taken{}, errAnswer
	}
	taken := notify.Taken{Deliveries: int(whole(answer[0]))}
	for i := 1; i < len(answer); i += each {
		made, data, ok := strings.Cut(text(answer[i+1]), ":")
		ms, err := strconv.ParseInt(made, 10, 64)
		if !ok || err != nil {
			return notify.Taken{}, errAnswer
		}
		taken.Items = append(taken.Items, notify.Item{
			ID: text(answer[i]), Data: []byte(data), Made: time.UnixMilli(ms).UTC(), Try: int(whole(answer[i+2])),
		})
	}
	taken.Deliveries = min(taken.Deliveries, len(taken.Items))
	return taken, nil
}

// Settle implements notify.Store.
func (s *Store) Settle(ctx context.Context, channel string, ends []notify.End) error {
	if len(ends) == 0 {
		return nil
	}
	args := []any{field(channel)}
	for _, end := range ends {
		again := ""
		if !end.Again.IsZero() {
			again = millis(end.Again)
		}
		args = append(args, end.ID, again)
	}
	_, err := s.rdb.Eval(ctx, settleScript, []string{s.key("out:" + channel), s.key("items"), s.key("tries")}, args...)
	if err != nil {
		return fmt.Errorf("notifications: %w", err)
	}
	return nil
}

var errAnswer = errors.New("notifications: the store gave an answer that makes no sense")

// run runs a script that answers a list.
func (s *Store) run(ctx context.Context, script string, keys []string, args ...any) ([]any, error) {
	answer, err := s.rdb.Eval(ctx, script, keys, args...)
	if err != nil {
		return nil, fmt.Errorf("notifications: %w", err)
	}
	list, ok := answer.([]any)
	if !ok {
		return nil, errAnswer
	}
	return list, nil
}

func text(v any) string { s, _ := v.(string); return s }

func whole(v any) int64 { n, _ := v.(int64); return n }
