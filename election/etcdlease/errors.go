package etcdlease

import (
	"errors"
	"fmt"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/solocron/solocron/election"
)

// A verdict is what an error says of the request that it answers.
type verdict uint8

const (
	fine     verdict = iota
	open             // nobody knows what happened; another member may
	declined         // certainly nothing was done, and asking again is of no use
	leftover         // certainly nothing was done: it stood on an etcd lease that is gone
)

// judge reads an error of etcd. Only what a member says itself is definite, and
// of that only what it finds out before a transaction is carried out: a member
// that gave up waiting, or lost its leader, does not know.
func judge(err error) verdict {
	if err == nil {
		return fine
	}
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		return leftover
	}
	if e, ok := errors.AsType[rpctypes.EtcdError](err); ok {
		switch e.Code() {
		case codes.InvalidArgument, codes.PermissionDenied, codes.Unauthenticated, codes.ResourceExhausted, codes.OutOfRange:
			return declined
		}
		return open
	}
	switch status.Code(err) {
	case codes.Unimplemented, codes.PermissionDenied, codes.Unauthenticated:
		return declined
	}
	return open
}

// explain says what is known after err: if nothing was ever sent that writes, or
// what was sent was declined, then nothing was done.
func explain(err error, mayHaveActed bool) error {
	if mayHaveActed {
		return fmt.Errorf("etcd: %w", err)
	}
	return fmt.Errorf("%w: etcd: %w", election.ErrNotApplied, err)
}
