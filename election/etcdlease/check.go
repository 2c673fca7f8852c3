package etcdlease

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

const (
	probeLife  = 5               // seconds
	largeStore = 3 << 29         // bytes; etcd stops at 2 GB unless it is told otherwise
	oldest     = "3.4"           // nested transactions are older, but nothing before is maintained
	probeName  = "!check"        // no job's name begins like this
	outOfSpace = "alarm:NOSPACE" // in what a member says is wrong with it
	corrupt    = "alarm:CORRUPT"
)

// Check asks etcd whether leases can be kept in it now: that a majority agrees to
// reads and, the first time, that this client may write. The error says why they
// cannot; the warnings, for people, name members that do not answer and a store
// that is about to be full.
func (s *Store) Check(ctx context.Context) (warnings []string, err error) {
	if err := refused(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.try)
	defer cancel()
	heard := s.askAll(ctx)
	warnings, err = weighMembers(heard)
	if err != nil {
		return warnings, fmt.Errorf("etcd: %w", err)
	}
	if err := s.probe(ctx); err != nil {
		return warnings, fmt.Errorf("etcd: %w", err)
	}
	return warnings, nil
}

// heard is what one member said of itself.
type heard struct {
	endpoint string
	status   *pb.StatusResponse
	err      error
}

func (s *Store) askAll(ctx context.Context) []heard {
	ctx, cancel := context.WithTimeout(ctx, s.request)
	defer cancel()
	all := make([]heard, len(s.nodes.list))
	var wg sync.WaitGroup
	for i := range all {
		m := &s.nodes.list[i]
		wg.Go(func() {
			status, err := m.status.Status(ctx, new(pb.StatusRequest))
			all[i] = heard{endpoint: m.endpoint, status: status, err: err}
		})
	}
	wg.Wait()
	return all
}

// weighMembers says what is wrong with a cluster whose members said this.
func weighMembers(all []heard) (warnings []string, err error) {
	var faults, silent []error
	clusters := make(map[uint64]string)
	for _, h := range all {
		if h.err != nil {
			silent = append(silent, fmt.Errorf("%s: %w", h.endpoint, h.err))
			warnings = append(warnings, h.endpoint+" does not answer")
			continue
		}
		clusters[h.status.GetHeader().GetClusterId()] = h.endpoint
		said := strings.Join(h.status.GetErrors(), " ")
		switch {
		case older(h.status.GetVersion(), oldest):
			faults = append(faults, fmt.Errorf("%s runs version %s: use %s or newer", h.endpoint, h.status.GetVersion(), oldest))
		case h.status.GetIsLearner():
			faults = append(faults, fmt.Errorf("%s is a learner, which has no vote: leave it out of the endpoints", h.endpoint))
		case strings.Contains(said, outOfSpace), strings.Contains(said, corrupt):
			faults = append(faults, fmt.Errorf("%s has raised an alarm: %s", h.endpoint, said))
		case h.status.GetDbSize() >= largeStore:
			warnings = append(warnings, fmt.Sprintf("%s stores %d MB and stops at its quota: is auto-compaction on?", h.endpoint, h.status.GetDbSize()>>20))
		}
	}
	if len(silent) == len(all) {
		return warnings, errors.Join(silent...)
	}
	if len(clusters) > 1 {
		faults = append(faults, fmt.Errorf("the endpoints belong to %d clusters: name the members of one", len(clusters)))
	}
	if len(all) == 1 {
		warnings = append(warnings, all[0].endpoint+" is the only endpoint: nothing runs while it is away")
	}
	return warnings, errors.Join(faults...)
}

// older compares two versions by their first two numbers.
func older(version, than string) bool {
	return slices.CompareFunc(strings.Split(version, "."), strings.Split(than, "."), func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		if errX != nil || errY != nil {
			return strings.Compare(a, b)
		}
		return cmp.Compare(x, y)
	}) < 0
}

// probe reads what a majority agrees on and, until that has succeeded once,
// writes a key that vanishes by itself.
func (s *Store) probe(ctx context.Context) error {
	key := s.head + probeName
	err := s.repeat(ctx, func(ctx context.Context, m *node) error {
		_, err := m.kv.Get(ctx, key)
		return err
	})
	if err == nil && !s.writable.Load() {
		err = s.writeProbe(ctx, key)
	}
	if errors.Is(err, rpctypes.ErrPermissionDenied) {
		return fmt.Errorf("the user needs read and write on all keys that begin with %q: %w", s.head, err)
	}
	return err
}

func (s *Store) writeProbe(ctx context.Context, key string) error {
	lease, err := s.grant(ctx, probeLife)
	if err != nil {
		return err
	}
	err = s.repeat(ctx, func(ctx context.Context, m *node) error {
		_, err := m.kv.Put(ctx, key, "", clientv3.WithLease(lease))
		return err
	})
	s.writable.Store(err == nil)
	return err
}
