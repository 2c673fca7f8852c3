package preflight

import (
	"fmt"
	"slices"
	"time"
)

// clockWarn is the difference of clocks that is worth a line: ticks start late, or
// are asked for in vain, by so much.
const clockWarn = 250 * time.Millisecond

// Latency judges how long questions took that wanted nothing; try is how long one
// about a lease may take.
func Latency(took []time.Duration, try time.Duration) Row {
	const check = "latency"
	if len(took) == 0 {
		return Row{check, Fail, "no PING was answered", "see whether the server is overloaded"}
	}
	sorted := slices.Clone(took)
	slices.Sort(sorted)
	p50, p99 := sorted[(len(sorted)-1)*50/100], sorted[(len(sorted)-1)*99/100]
	r := Row{Check: check, State: OK, Found: fmt.Sprintf("p50 %s, p99 %s of %d pings", short(p50), short(p99), len(took))}
	switch {
	case p99 >= try:
		r.State, r.Fix = Fail, fmt.Sprintf("bring it below lease.tryTimeout %s, or raise that and lease.ttl: renewals would be given up", try)
	case p99 > try/4:
		r.State, r.Fix = Warn, fmt.Sprintf("it should stay below a quarter of lease.tryTimeout %s", try)
	}
	return r
}

// ClockOffset judges what the server's clock is ahead for sure; most is how much
// of it a replica may bear.
func ClockOffset(ahead, most time.Duration) Row {
	r := Row{Check: "clock offset", State: OK, Found: "the server's clock is " + short(ahead.Abs()) + " ahead"}
	switch {
	case ahead < 0:
		r.Found = "the server's clock is " + short(ahead.Abs()) + " behind"
	case ahead == 0:
		r.Found = "none that can be measured"
	}
	switch {
	case ahead.Abs() > most:
		r.State, r.Fix = Fail, fmt.Sprintf("set both clocks by NTP: beyond clock.maxOffset %s this replica takes no ticks", most)
	case ahead.Abs() > clockWarn:
		r.State, r.Fix = Warn, "set both clocks by NTP: ticks start early or late by the difference"
	}
	return r
}

// Slots is where the tags of the keys live in a cluster.
type Slots struct {
	On      bool  // the server is part of a cluster
	Err     error // it does not say where slots are
	Tags    int   // there are so many
	Covered int   // of them a node has the slot
	Nodes   int   // that is so many nodes
	Follows bool  // the client goes to the node that has a slot
}

// Cluster judges s.
func Cluster(s Slots) Row {
	const check = "cluster slots"
	found := fmt.Sprintf("%d of %d tags have a node, on %d nodes", s.Covered, s.Tags, s.Nodes)
	switch {
	case !s.On:
		return Row{Check: check, State: OK, Found: "not a cluster"}
	case s.Err != nil:
		return Row{check, Unknown, s.Err.Error(), "allow CLUSTER SLOTS and CLUSTER KEYSLOT"}
	case s.Covered < s.Tags:
		return Row{check, Fail, found, "assign every slot: jobs without one never run"}
	case s.Nodes > 1 && !s.Follows:
		return Row{check, Fail, found, "connect to a server that is not part of a cluster: redis.addr names one node, and the others' jobs would never run"}
	}
	return Row{Check: check, State: OK, Found: found}
}

// short rounds d to what people read.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		d = d.Round(10 * time.Millisecond)
	case d >= time.Millisecond:
		d = d.Round(10 * time.Microsecond)
	default:
		d = d.Round(time.Microsecond)
	}
	return d.String()
}
