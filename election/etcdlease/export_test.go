package etcdlease

import (
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/solocron/solocron/election/internal/ledger"
)

// Head is what all keys of s begin with.
func (s *Store) Head() string { return s.head }

// RecordKey, LeaseKey and ClosedKey are the keys of a job.
func (s *Store) RecordKey(job string) string { return s.dir(job) + recordName }
func (s *Store) LeaseKey(job string) string  { return s.dir(job) + leaseName }
func (s *Store) ClosedKey(job string) string { return s.dir(job) + closedName }

var (
	Escape  = escape
	Encode  = encode
	Decode  = decode
	Rung    = rung
	Seconds = seconds
	Older   = older
	Terms   = terms
)

// The verdicts by name.
const (
	Fine     = fine
	Open     = open
	Declined = declined
	Leftover = leftover
)

// Judge is judge.
func Judge(err error) verdict { return judge(err) }

// Place is the record r with the moments that its rules compare, read at now.
func Place(r ledger.Record, found, lease, closed bool, term, now int64) ledger.Record {
	e := entry{rec: r, found: found, term: term}
	if lease {
		e.lease.revision = 1
	}
	if closed {
		e.closed.revision = 1
	}
	e.place(now)
	return e.rec
}

// Take is what is to be written after some steps.
func Take(changes ...ledger.Change) (written ledger.Change, found, retimed bool) {
	e := entry{found: true}
	for _, c := range changes {
		e.take(c)
	}
	return e.change, e.found, e.retimed()
}

// Heard is what a member said.
type Heard struct {
	Endpoint string
	Status   *pb.StatusResponse
	Err      error
}

// WeighMembers is weighMembers.
func WeighMembers(all ...Heard) (warnings []string, err error) {
	var list []heard
	for _, h := range all {
		list = append(list, heard{endpoint: h.Endpoint, status: h.Status, err: h.Err})
	}
	return weighMembers(list)
}

// Ask makes the member with number i the one that s asks.
func (s *Store) Ask(i int) { s.nodes.at.Store(uint32(i)) }
