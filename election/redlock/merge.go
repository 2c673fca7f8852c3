package redlock

import (
	"cmp"
	"slices"
	"time"

	"github.com/solocron/solocron/election"
)

const ringSize = 32

// merge makes one record of those of a quorum or more of the nodes, for people. Who
// holds the lease is what a quorum says; if there is none that agrees, what the node
// with the highest token says. What has been decided anywhere shows as decided.
func merge(records []election.Record, q int) election.Record {
	base := leading(records, q)
	if base == nil {
		return election.Record{}
	}
	r := *base
	var now, shut []time.Time
	var late, crashes []int64
	for i := range records {
		x := &records[i]
		if x.Key == "" {
			continue
		}
		if sameStand(x, base) {
			r.Token, r.Remaining = max(r.Token, x.Token), max(r.Remaining, x.Remaining)
		}
		r.Decided, r.Completed = latest(r.Decided, x.Decided), latest(r.Completed, x.Completed)
		r.Epoch = max(r.Epoch, x.Epoch)
		now, shut = append(now, x.Now), append(shut, x.Shut)
		late, crashes = append(late, x.Late), append(crashes, x.Crashes)
	}
	r.Now = median(now)
	r.Late, r.Crashes = common(late, q), common(crashes, q)
	r.Gate, r.Shut = gates(records, shut)
	r.Ring = rings(records, q)
	return r
}

// leading is the record that speaks for the others: with which a quorum agrees on who
// has the lease, or else that with the highest token. Nil: there is no record.
func leading(records []election.Record, q int) *election.Record {
	var best *election.Record
	votes := 0
	for i := range records {
		x := &records[i]
		same := 0
		for k := range records {
			if sameStand(x, &records[k]) {
				same++
			}
		}
		if votes < q && same >= q || (votes >= q) == (same >= q) && (best == nil || x.Token > best.Token) {
			best, votes = x, same
		}
	}
	if best != nil && best.Key == "" {
		return nil
	}
	return best
}

// sameStand reports whether two nodes say the same of who has the lease.
func sameStand(a, b *election.Record) bool {
	return a.Key == b.Key && a.State == b.State && a.Holder == b.Holder && a.Tick.Equal(b.Tick)
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// common is the highest count that a quorum has reached: a node that missed a lease
// counts things of its own.
func common(counts []int64, q int) int64 {
	slices.SortFunc(counts, func(a, b int64) int { return cmp.Compare(b, a) })
	return counts[min(q, len(counts))-1]
}

// gates is the gate that most nodes have; a closed one if they are even, as nobody
// knows which is the newer. Shut are the moments until which gates were closed that
// are open now.
func gates(records []election.Record, shut []time.Time) (election.Gate, time.Time) {
	var closed []election.Gate
	for i := range records {
		if records[i].Gate.Closed {
			closed = append(closed, records[i].Gate)
		}
	}
	if 2*len(closed) >= len(records) {
		slices.SortFunc(closed, func(a, b election.Gate) int { return b.Until.Compare(a.Until) })
		for _, g := range closed {
			if g.Until.IsZero() {
				return g, time.Time{}
			}
		}
		return closed[0], time.Time{}
	}
	return election.Gate{}, slices.MaxFunc(shut, time.Time.Compare)
}

// rings are the outcomes that any node keeps, newest first; but an undone claim
// only if a quorum keeps it, as each node knows such a one by a token of its own.
func rings(records []election.Record, q int) []election.Past {
	seen := make(map[election.Past]int)
	for i := range records {
		for _, p := range records[i].Ring {
			seen[p]++
		}
	}
	var all []election.Past
	for p, n := range seen {
		if p.Outcome != election.OutcomeUndone || n >= q {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b election.Past) int {
		return cmp.Or(cmp.Compare(b.Token, a.Token), cmp.Compare(b.Outcome, a.Outcome))
	})
	return all[:min(len(all), ringSize)]
}
