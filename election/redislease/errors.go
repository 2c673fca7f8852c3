package redislease

import (
	"errors"
	"fmt"
	"net"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
)

var (
	errEcho  = errors.New("redis answered for somebody else: the connection is out of step")
	errShape = errors.New("redis answered in an unknown form")
)

// refusals returns how the replies begin with which a server says that it ran
// nothing of a command.
func refusals() []string {
	return []string{
		"READONLY", "MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "BUSY ", "NOREPLICAS", "MISCONF",
		"OOM", "NOPERM", "NOAUTH", "WRONGPASS", "NOSCRIPT", "max number of clients",
	}
}

// explain says what is known after err: certainly nothing was done, or, for
// everything that is not listed, nobody knows. A cluster client sends again by
// itself, so that its last error says nothing about its first try.
func explain(err error, resends bool) error {
	if !resends && notApplied(err) {
		return fmt.Errorf("%w: %w", election.ErrNotApplied, err)
	}
	return fmt.Errorf("redis: %w", err)
}

func notApplied(err error) bool {
	if errors.Is(err, redis.ErrPoolTimeout) || errors.Is(err, redis.ErrPoolExhausted) || errors.Is(err, redis.ErrClosed) {
		return true
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	for _, prefix := range refusals() {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	return false
}

// itemError is what a script says of one item that failed alone.
func itemError(kind byte, words string) error {
	switch kind {
	case 'B':
		return fmt.Errorf("%w: %s", election.ErrBadClaim, words)
	case 'C':
		return fmt.Errorf("%w: %s", election.ErrChanged, words)
	case 'N':
		return fmt.Errorf("%w: redis: %s", election.ErrNotApplied, words)
	}
	return fmt.Errorf("redis: %s", words)
}
