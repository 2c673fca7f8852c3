package redislease_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

func request(n int) election.Claim {
	return election.Claim{
		Key: "job", Owner: owner(n), Mode: election.ForRequest, TTL: time.Second, Retention: time.Hour, Holder: "replica",
	}
}

func TestOnlyKnownRefusalsProveThatNothingWasDone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"READONLY You can't write against a read only replica.": true,
		"MOVED 3999 127.0.0.1:6381":                             true,
		"LOADING Redis is loading the dataset in memory":        true,
		"BUSY Redis is busy running a script.":                  true,
		"OOM command not allowed":                               true,
		"NOAUTH Authentication required.":                       true,
		"ERR max number of clients reached":                     true,
		"ERR Error running script":                              false,
		"BUSYKEY Target key name already exists.":               false,
	} {
		synctest.Test(t, func(t *testing.T) {
			m := miniredis.NewMiniRedis()
			defer m.Close()
			o := redislease.Options("127.0.0.1:1", time.Second)
			o.Dialer, o.PoolSize = redistest.Dialer(m), redistest.BubblePool
			o.MinIdleConns = 0
			s, rdb := open(t, redis.NewClient(o), "test")
			if err := rdb.Ping(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			m.SetError(text)
			a := s.Claim(t.Context(), []election.Claim{request(1)})[0]
			if a.Err == nil || errors.Is(a.Err, election.ErrNotApplied) != want {
				t.Errorf("%s: got error %v, want not applied = %v", text, a.Err, want)
			}
		})
	}
}

func TestAFailedDialIsNotAppliedAndALostReplyIsUnknown(t *testing.T) {
	t.Parallel()
	dial := &net.OpError{Op: "dial", Err: errors.New("refused")}
	read := &net.OpError{Op: "read", Err: errors.New("reset")}
	for err, want := range map[error]bool{
		dial: true, redis.ErrPoolTimeout: true, redis.ErrClosed: true, read: false, context.DeadlineExceeded: false,
	} {
		if got := redislease.NotApplied(err); got != want {
			t.Errorf("%v: got not applied = %v, want %v", err, got, want)
		}
	}
}

// TestAStrangeReplyIsNeverAGrant answers every script with something else.
func TestAStrangeReplyIsNeverAGrant(t *testing.T) {
	t.Parallel()
	const told = "G 00000000 1000    1 5 0 0  0   7 replica"
	for _, reply := range [][]string{
		{},
		{"1000"},
		{"1000", "1"},
		{"1000", told},
		{"soon", "1", told},
		{"1000", "", told},
		{"1000", "1", "N ffffffff 5 0 "},
		{"1000", "1", "N 00000000 x 0 "},
		{"1000", "1", "N 00000000 5 0"},
		{"1000", "1", "N 00000000 9007199254740992 0 "},
		{"1000", "1", "N 00000000 5"},
		{"1000", "1", "G 00000000 1000    1 5 0 0  0   8 replica"},
		{"1000", "1", "G 00000000 1000    1 5 0 0  0  -7 replica"},
		{"1000", "1", "W" + told[1:]},
		{"1000", "1", ""},
		{"1000", "1", told + " bad prev"},
		{"1000", "1", told, "more"},
		{"1000", "1", "!X 00000000 half done"},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := answerWith(t, reply)
			if a.Answer != election.Unknown || a.Err == nil || errors.Is(a.Err, election.ErrNotApplied) {
				t.Errorf("reply %q: got %+v, want an unknown error", reply, a)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		for _, good := range []string{told, "N 00000000 5 0 "} {
			if a := answerWith(t, []string{"1000", "1", good}); a.Answer != election.Granted || a.Token != 5 || a.By != "replica" {
				t.Errorf("a good reply: got %+v, want a grant with token 5", a)
			}
		}
	})
}

// scripted answers every command with the same, without a server.
type scripted struct{ reply any }

func (scripted) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s scripted) ProcessHook(redis.ProcessHook) redis.ProcessHook {
	return func(_ context.Context, cmd redis.Cmder) error {
		cmd.(*redis.Cmd).SetVal(s.reply)
		return nil
	}
}

func (s scripted) ProcessPipelineHook(redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(_ context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			cmd.(*redis.Cmd).SetVal(s.reply)
		}
		return nil
	}
}

// answerWith is what a claim is told by a server that replies with these strings,
// as an array. As one string they must come to the same.
func answerWith(t *testing.T, reply []string) election.ClaimAnswer {
	t.Helper()
	list := make([]any, len(reply))
	for i, word := range reply {
		list[i] = word
	}
	a, b := answerTo(t, list), answerTo(t, strings.Join(reply, "\n"))
	if a.Answer != b.Answer || a.Token != b.Token || (a.Err == nil) != (b.Err == nil) {
		t.Errorf("reply %q: as an array it means %+v, as a string %+v", reply, a, b)
	}
	return a
}

func answerTo(t *testing.T, reply any) election.ClaimAnswer {
	t.Helper()
	s, rdb := mini(t)
	rdb.AddHook(scripted{reply})
	c := request(1)
	c.Owner = "00000000000000000000000000000001"
	return s.Claim(t.Context(), []election.Claim{c})[0]
}

func TestAReplyThatIsNoStringsIsNotUnderstood(t *testing.T) {
	t.Parallel()
	for _, reply := range []any{nil, int64(1), []any{"1000", "1", int64(7)}, []any{"1000", "1", nil}, map[any]any{"a": "b"}, ""} {
		synctest.Test(t, func(t *testing.T) {
			if a := answerTo(t, reply); a.Answer != election.Unknown || a.Err == nil || errors.Is(a.Err, election.ErrNotApplied) {
				t.Errorf("reply %v: got %+v, want an unknown error", reply, a)
			}
		})
	}
}

func TestScriptsAreSentAgainWhenTheServerForgotThem(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	for n := range 3 {
		if err := rdb.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		c := request(n)
		c.Key += strings.Repeat("x", n)
		if a := s.Claim(t.Context(), []election.Claim{c})[0]; a.Answer != election.Granted {
			t.Errorf("after SCRIPT FLUSH: got %+v, want a grant", a)
		}
	}
}
