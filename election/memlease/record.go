package memlease

import (
	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/ledger"
)

// record is what the store keeps of one key: a ledger.Record in less room. A
// burst of first ticks makes one for each job, and fresh memory is most of what
// that costs.
type record struct {
	owner   election.Owner
	token   int64
	expires int64
	state   election.State
	tick    int64
	decided int64
	before  int64
	done    int64
	attempt int
	epoch   int64
	def     string
	holder  string
	delay   int64
	keep    int64
	ring    []election.Past
	rare    *rare // nil: it is all zero
	gone    int64 // when the record vanishes, in ms
}

// rare is what few records have to say.
type rare struct {
	crashes int64
	late    int64
	prev    *election.Abandoned
	refused []ledger.Refusal
	gate    ledger.Gate
}

// draft is a record as the rules see it. Nothing of what they change in it is
// kept before write.
type draft struct {
	ledger.Record
	kept *record // what it is a copy of; nil: the store has no record
}

// open copies r into d.
func (d *draft) open(r *record) {
	d.kept = r
	d.Record = ledger.Record{
		Owner: r.owner, Token: r.token, Expires: r.expires, State: r.state, Tick: r.tick, Decided: r.decided,
		Before: r.before, Done: r.done, Attempt: r.attempt, Epoch: r.epoch, Def: r.def, Holder: r.holder,
		Delay: r.delay, Keep: r.keep, Ring: r.ring,
	}
	if x := r.rare; x != nil {
		d.Crashes, d.Late, d.Prev, d.Refused, d.Gate = x.crashes, x.late, x.prev, x.refused, x.gate
	}
}

// close copies d into the record that is kept.
func (d *draft) close() {
	r := d.kept
	*r = record{
		owner: d.Owner, token: d.Token, expires: d.Expires, state: d.State, tick: d.Tick, decided: d.Decided,
		before: d.Before, done: d.Done, attempt: d.Attempt, epoch: d.Epoch, def: d.Def, holder: d.Holder,
		delay: d.Delay, keep: d.Keep, ring: d.Ring, rare: r.rare, gone: r.gone,
	}
	if r.rare == nil && !d.unusual() {
		return
	}
	if r.rare == nil {
		r.rare = new(rare)
	}
	*r.rare = rare{crashes: d.Crashes, late: d.Late, prev: d.Prev, refused: d.Refused, gate: d.Gate}
}

// unusual reports whether d says anything that few records do.
func (d *draft) unusual() bool {
	return d.Crashes != 0 || d.Late != 0 || d.Prev != nil || len(d.Refused) > 0 || d.Gate != (ledger.Gate{})
}
