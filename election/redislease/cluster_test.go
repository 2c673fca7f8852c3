package redislease_test

import (
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"testing"

	"github.com/solocron/solocron/election/redislease"
)

// said is an error that a server replies with.
type said string

func (s said) Error() string { return string(s) }
func (said) RedisError()     {}

func TestACallIsFollowedOnlyWhereItsKeysAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		keys int
		want redislease.Course
	}{
		{nil, 2, redislease.Arrived},
		{said("NOSCRIPT No matching script."), 2, redislease.Arrived},
		{said("OOM command not allowed"), 2, redislease.Arrived},
		{said("ERR wrong number of arguments"), 1, redislease.Arrived},
		{said("ASKING is no command"), 1, redislease.Arrived},
		{said("MOVED 9032 127.0.0.1:7001"), 2, redislease.Elsewhere},
		{said("ASK 9032 127.0.0.1:7001"), 1, redislease.Elsewhere},
		{said("ASK 9032 127.0.0.1:7001"), 2, redislease.Scattered},
		{said("TRYAGAIN Multiple keys request during rehashing of slot"), 2, redislease.Scattered},
		{said("CLUSTERDOWN The cluster is down"), 2, redislease.Unmapped},
		{said("READONLY You can't write against a read only replica."), 1, redislease.Unmapped},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, 1, redislease.Unmapped},
		{io.EOF, 1, redislease.Unmapped},
		{context.DeadlineExceeded, 1, redislease.Unmapped},
	} {
		if got := redislease.Whither(c.err, c.keys); got != c.want {
			t.Errorf("%v with %d keys: got %d, want %d", c.err, c.keys, got, c.want)
		}
	}
}

func TestEveryPartOfACallHasItsTerms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []any
		want [][]any
	}{
		"with terms and items": {
			[]any{"evalsha", "sha", "2", "k1", "k2", "t1", "t2", "t3", "i1", "i2"},
			[][]any{{"evalsha", "sha", "1", "k1", "t1", "t2", "t3", "i1"}, {"evalsha", "sha", "1", "k2", "t1", "t2", "t3", "i2"}},
		},
		"with keys only": {
			[]any{"eval", "text", "2", "k1", "k2"},
			[][]any{{"eval", "text", "1", "k1"}, {"eval", "text", "1", "k2"}},
		},
	} {
		if got := redislease.Split(2, c.args...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
