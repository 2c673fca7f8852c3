package redislease_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

// A tap keeps what is written on a connection, write by write.
type tap struct {
	net.Conn
	heard func([]byte)
}

func (t tap) Write(p []byte) (int, error) {
	t.heard(bytes.Clone(p))
	return t.Conn.Write(p)
}

// TestEveryWaitIsSentBehindItsScriptsOnTheirConnection, as on another one WAIT
// answers for what was written there: measured with a frozen replica, "2" at once.
func TestEveryWaitIsSentBehindItsScriptsOnTheirConnection(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	var mu sync.Mutex
	var writes []string
	o := redislease.Options(r.Master.Addr, try)
	o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr)
		return tap{conn, func(p []byte) {
			mu.Lock()
			defer mu.Unlock()
			writes = append(writes, string(p))
		}}, err
	}
	rdb := redis.NewClient(o)
	defer rdb.Close()
	s, err := redislease.New(rdb, "solocron", "test", try, redislease.Wait{Replicas: 1, Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for n := range 8 { // so that the pool has many connections to choose from
		wg.Go(func() {
			c := due(fmt.Sprintf("job-%d", n), n)
			a := ask(t, s, c)
			s.Start(t.Context(), []election.Hold{claimed(c, a)})
			s.Renew(t.Context(), []election.Hold{claimed(c, a)})
			if e := s.Release(t.Context(), []election.End{ended(c, a)})[0]; e.Standing != election.Good {
				t.Errorf("a run: got %+v, want good", e)
			}
		})
	}
	wg.Wait()
	scripts := 0
	for _, w := range writes {
		w = strings.ToLower(w)
		if strings.Contains(w, "multi\r\n") {
			t.Errorf("a transaction, in which WAIT does not wait: %q", w)
		}
		script := max(strings.LastIndex(w, "$7\r\nevalsha\r\n"), strings.LastIndex(w, "$4\r\neval\r\n"))
		if script >= 0 {
			scripts++
		}
		if wait := strings.LastIndex(w, "$4\r\nwait\r\n"); script >= 0 != (wait >= 0) || wait < script {
			t.Errorf("a script without a WAIT behind it in the same pipeline, or a WAIT alone: %.200q", w)
		}
	}
	if scripts < 4*8 {
		t.Errorf("%d pipelines with scripts were seen, want 32 or more", scripts)
	}
}

// TestRepliesToWaitAreComparedWithWhatWasAskedFor. This machine's Redis has no WAITAOF.
func TestRepliesToWaitAreComparedWithWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	number := func(n int) func(*server.Peer) { return func(p *server.Peer) { p.WriteInt(n) } }
	pair := func(local, replicas int) func(*server.Peer) {
		return func(p *server.Peer) {
			p.WriteLen(2)
			p.WriteInt(local)
			p.WriteInt(replicas)
		}
	}
	for _, c := range []struct {
		what  string
		aof   bool
		reply func(*server.Peer)
		want  election.Answer
	}{
		{"wait 2", false, number(2), election.Granted},
		{"wait 3", false, number(3), election.Granted},
		{"wait 1", false, number(1), election.Unknown},
		{"wait 0", false, number(0), election.Unknown},
		{"wait with an error", false, func(p *server.Peer) { p.WriteError("UNBLOCKED it is a replica now") }, election.Unknown},
		{"wait with words", false, func(p *server.Peer) { p.WriteBulk("2") }, election.Unknown},
		{"waitaof 1 2", true, pair(1, 2), election.Granted},
		{"waitaof 1 1", true, pair(1, 1), election.Unknown},
		{"waitaof 0 2", true, pair(0, 2), election.Unknown},
		{"waitaof with a number", true, number(2), election.Unknown},
		{"waitaof without a list", true, func(p *server.Peer) { p.WriteError("ERR unknown command") }, election.Unknown},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked string
			m := miniredis.NewMiniRedis()
			defer m.Close()
			o := redislease.Options("127.0.0.1:6379", try)
			o.Dialer, o.PoolSize = redistest.Dialer(m), redistest.BubblePool
			o.MinIdleConns = 0 // nobody waits for those that are dialled in the background
			rdb := redis.NewClient(o)
			defer rdb.Close()
			if err := rdb.Ping(t.Context()).Err(); err != nil {
				t.Fatal(err)
			}
			m.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) bool {
				if cmd = strings.ToLower(cmd); !strings.HasPrefix(cmd, "wait") {
					return false
				}
				asked = cmd + " " + strings.Join(args, " ")
				c.reply(p)
				return true
			})
			s, err := redislease.New(rdb, "solocron", "test", try, redislease.Wait{Replicas: 2, Timeout: patience, AOF: c.aof})
			if err != nil {
				t.Fatal(err)
			}
			a := ask(t, s, request(1))
			if a.Answer != c.want {
				t.Errorf("%s: got %+v, want answer %d", c.what, a, c.want)
			}
			if c.want == election.Unknown {
				wantUnreplicated(t, a.Err, true)
			}
			want := "wait 2 200"
			if c.aof {
				want = "waitaof 1 2 200"
			}
			if asked != want {
				t.Errorf("%s: asked %q, want %q", c.what, asked, want)
			}
		})
	}
}
