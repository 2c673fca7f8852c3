package etcdlease

import (
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/internal/ledger"
)

// A plan is what the keys of a job are to stand on: none, so that it does not
// exist, or for a record so that it has no end.
type plan struct {
	record       stand
	same         bool // the record stands on what it stood on
	held, closed stand
}

// plan says what the keys of e will stand on as they are to be written.
func (e *entry) plan(now int64) plan {
	p := plan{same: e.change.Life == ledger.SameLife}
	if e.found && !p.same {
		p.record = kept(e.rec.KeepFor(e.change.Life, now))
	}
	if e.retimed() {
		held, closed := terms(&e.rec, now)
		p.held, p.closed = stand{seconds: seconds(held)}, stand{seconds: seconds(closed)}
	}
	return p
}

// kept is what a record stands on that is kept for life, in ms.
func kept(life int64) stand {
	switch {
	case life == ledger.Forever:
		return stand{}
	case seconds(life) < shortLife:
		return stand{seconds: seconds(life)}
	}
	return stand{seconds: rung(seconds(life)), shared: true}
}

// terms is for how long the lease key and the closed key of r are to exist, in
// ms. A claim that is not started leaves nothing behind that others must wait for.
func terms(r *ledger.Record, now int64) (held, closed int64) {
	left := r.Left(now)
	switch {
	case r.Owner == "":
		return 0, left
	case r.State == election.StateRunning && r.Delay > 0:
		return left, left + r.Delay
	}
	return left, 0
}

// seconds is ms rounded up: etcd counts whole seconds.
func seconds(ms int64) int64 { return (ms + 999) / 1000 }

// get reads all keys of a job.
func get(dir string) clientv3.Op { return clientv3.OpGet(dir, clientv3.WithRange(dirEnd(dir))) }

// write is the transaction that makes e as it should be, if nothing of it has
// changed since it was read; otherwise it reads e again.
func (e *entry) write(now int64, p plan, on map[stand]clientv3.LeaseID) (clientv3.Op, error) {
	same := []clientv3.Cmp{
		clientv3.Compare(clientv3.ModRevision(e.dir+recordName), "=", e.record.revision),
		clientv3.Compare(clientv3.ModRevision(e.dir+leaseName), "=", e.lease.revision),
		clientv3.Compare(clientv3.ModRevision(e.dir+closedName), "=", e.closed.revision),
	}
	var puts []clientv3.Op
	if e.found {
		if e.retimed() {
			e.term = e.rec.Left(now)
		}
		value, err := encode(&e.rec, e.term)
		if err != nil {
			return clientv3.Op{}, err
		}
		until := clientv3.WithLease(on[p.record])
		if p.same {
			until = clientv3.WithIgnoreLease()
		}
		puts = append(puts, clientv3.OpPut(e.dir+recordName, value, until))
	} else if e.record.exists() {
		puts = append(puts, clientv3.OpDelete(e.dir+recordName))
	}
	if e.retimed() {
		puts = timed(puts, e.dir+leaseName, e.lease, on[p.held])
		puts = timed(puts, e.dir+closedName, e.closed, on[p.closed])
	}
	return clientv3.OpTxn(same, puts, []clientv3.Op{get(e.dir)}), nil
}

// timed makes key exist for as long as lease lasts, or not at all if that is none.
func timed(puts []clientv3.Op, key string, was mark, lease clientv3.LeaseID) []clientv3.Op {
	switch {
	case lease != clientv3.NoLease:
		return append(puts, clientv3.OpPut(key, "", clientv3.WithLease(lease)))
	case was.exists():
		return append(puts, clientv3.OpDelete(key))
	}
	return puts
}
