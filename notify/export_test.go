package notify

import (
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/scheduler"
)

// What tests look at from outside.
var (
	Signature = signature
	PingOf    = func(e scheduler.Event) (suffix, body, rid string, ok bool) {
		p, ok := pingOf(e)
		return p.suffix, p.body, p.rid, ok
	}
	NewFacts   = newFacts
	MaxFacts   = maxFacts
	OutboxTick = outboxTick
)

func (q *facts) Put(f Fact)               { q.put(f) }
func (q *facts) Take(n int) ([]Fact, int) { return q.take(n) }

// JudgeTick is judgeTick, in words.
func JudgeTick(side Side, row *scheduler.Row, tick, told, deadline time.Time) string {
	return []string{"in time", "late", "late but over"}[judgeTick(side, row, tick, told, deadline)]
}

// Shares divides so many messages among deliveries and returns the size of each.
func Shares(messages, deliveries int) []int {
	t := Taken{Items: make([]Item, messages), Deliveries: deliveries}
	var sizes []int
	for _, p := range parcels(t) {
		sizes = append(sizes, len(p.items))
	}
	return sizes
}

// After is what follows a try that failed: a pause, or not ok: nothing.
func After(err error, try int, age time.Duration) (time.Duration, bool) {
	v, pause := verdictOn(err, try, age, 0)
	return pause, v == sendAgain
}

// PolicyOf is policyOf.
func PolicyOf(j *config.Job, link string) *Policy { return policyOf(j, link) }

// QuietUntil is quietUntil.
func (p *Policy) QuietUntil(now time.Time) time.Time { return p.quietUntil(now) }
