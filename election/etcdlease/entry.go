package etcdlease

import (
	"fmt"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/check"
	"github.com/solocron/solocron/election/internal/ledger"
)

// A mark is one key as it was read.
type mark struct {
	revision int64 // of its last change; 0: the key does not exist
	lease    clientv3.LeaseID
}

func (m mark) exists() bool { return m.revision != 0 }

// An entry is everything etcd has about a job, and what a call makes of it.
type entry struct {
	dir                   string
	record, lease, closed mark
	term                  int64 // as it was last set, in ms

	rec    ledger.Record // as it will be
	found  bool          // there will be a record
	change ledger.Change // what is to be written
}

// read takes in the keys of a job.
func (e *entry) read(keys []*mvccpb.KeyValue) error {
	*e = entry{dir: e.dir}
	for _, kv := range keys {
		m := mark{revision: kv.ModRevision, lease: clientv3.LeaseID(kv.Lease)}
		switch name := string(kv.Key[len(e.dir):]); name {
		case recordName:
			r, term, err := decode(kv.Value)
			if err != nil {
				return fmt.Errorf("record of %q: %w", e.dir, err)
			}
			e.record, e.rec, e.term, e.found = m, r, term, true
		case leaseName:
			e.lease = m
		case closedName:
			e.closed = m
		}
	}
	return nil
}

// longPast is by how much a time is over that etcd says is over: more than any
// lock delay that a claim may add.
const longPast = check.MaxDelay + 1

// place gives the record the moments that its rules compare, from which keys
// exist. How much of a time is left is not known: at most all of it.
func (e *entry) place(now int64) {
	r := &e.rec
	switch {
	case !e.found && (e.lease.exists() || e.closed.exists()):
		// Somebody deleted the record alone: whoever holds the lease is not known.
		r.State, r.Expires = election.StateQuarantine, now+1
	case r.Owner == "" && e.closed.exists(), r.Owner != "" && e.lease.exists():
		r.Expires = now + max(e.term, 1)
	case r.Owner != "" && e.closed.exists():
		r.Expires = now // just over: closed for as long as the claimant would have it
	case r.Owner != "":
		r.Expires = now - longPast.Milliseconds()
	default:
		r.Expires = 0
	}
}

// take notes what a step has changed, after those before it in the same call.
func (e *entry) take(c ledger.Change) {
	switch c.What {
	case ledger.Nothing:
		return
	case ledger.Dropped:
		e.rec, e.found, e.change = ledger.Record{}, false, c
		return
	}
	if e.change.What == ledger.Nothing {
		e.change.Life = ledger.SameLife
	}
	e.found = true
	e.change.What = max(c.What, e.change.What) // after a drop: all is new
	if c.Life != ledger.SameLife {
		e.change.Life = c.Life
	}
}

// retimed reports whether lease and closed time are set anew.
func (e *entry) retimed() bool { return e.change.What >= ledger.Timed }
