package redistest_test

import (
	"context"
	"crypto/tls"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/redistest"
)

func TestReplicasHaveWhatTheirMasterWrote(t *testing.T) {
	t.Parallel()
	r := redistest.StartReplicated(t, 2)
	r.Master.Do(t, "SET", "key", "value")
	await(t, "the write on both replicas", func() bool {
		return r.Replicas[0].Holds("value", "GET", "key") && r.Replicas[1].Holds("value", "GET", "key")
	})
}

func TestSentinelsReplaceAMasterThatIsKilled(t *testing.T) {
	t.Parallel()
	began := time.Now()
	s := redistest.StartSentinel(t)
	t.Logf("started in %s", time.Since(began).Round(time.Millisecond))
	old := s.Master()
	if old != s.Servers[0] {
		t.Fatalf("got master %v, want the first server", old)
	}
	began = time.Now()
	old.Stop()
	s.AwaitFailover(old, 30*time.Second).Do(t, "SET", "key", "value")
	t.Logf("failed over in %s", time.Since(began).Round(time.Millisecond))
}

func TestAClusterServesEverySlotAndReplacesAMasterThatIsKilled(t *testing.T) {
	t.Parallel()
	began := time.Now()
	c := redistest.StartCluster(t, 3, 3)
	t.Logf("started in %s", time.Since(began).Round(time.Millisecond))
	for _, key := range []string{"a", "b", "c", "d"} {
		owner, slot := c.Owner(key)
		owner.Do(t, "SET", key, "value")
		if got := owner.Do(t, "CLUSTER", "COUNTKEYSINSLOT", strconv.Itoa(slot)); got != "1" {
			t.Errorf("keys in slot %d: got %s, want 1", slot, got)
		}
	}
	old, _ := c.Owner("a")
	replica := c.ReplicaOf(old)
	began = time.Now()
	old.Stop()
	await(t, "the replica to take over", func() bool { return replica.Holds("master\n", "ROLE") })
	t.Logf("failed over in %s", time.Since(began).Round(time.Millisecond))
	c.Settle()
	if now, _ := c.Owner("a"); now != replica {
		t.Errorf("got %v as the owner, want the replica", now)
	}
}

func TestAServerWithTLSWantsACertificateAndAUser(t *testing.T) {
	t.Parallel()
	s := redistest.StartTLS(t, "user app on >secret ~* &* +@all -eval")
	s.Do(t, "SET", "key", "value")

	without := s.Config.Clone()
	without.Certificates = nil
	if reply, err := exchange(t, without, s.Addr, "PING\r\n"); err == nil {
		t.Errorf("without a certificate: got %q, want an error", reply)
	}
	for command, want := range map[string]string{
		"PING\r\n":                                            "-NOAUTH",
		"AUTH app wrong\r\n" + "PING\r\n":                     "-WRONGPASS",
		"AUTH app secret\r\n" + "GET key\r\n":                 "+OK\r\n$5\r\nvalue\r\n",
		"AUTH app secret\r\n" + "EVAL \"return 'yes'\" 0\r\n": "+OK\r\n-NOPERM",
	} {
		if reply, err := exchange(t, s.Config, s.Addr, command); err != nil || !strings.HasPrefix(reply, want) {
			t.Errorf("%q: got %q, %v, want %q", command, reply, err, want)
		}
	}
}

// exchange sends inline commands through TLS and returns what comes back until
// the server hangs up.
func exchange(t *testing.T, config *tls.Config, addr, commands string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", err
	}
	if _, err := conn.Write([]byte(commands + "QUIT\r\n")); err != nil {
		return "", err
	}
	reply, err := io.ReadAll(conn)
	if len(reply) > 0 {
		err = nil // a connection that is cut after the replies has told enough
	}
	return string(reply), err
}

// await polls until ok, for at most 20 seconds.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	const limit = 20 * time.Second
	for deadline := time.Now().Add(limit); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain for %s", limit, what)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal(context.Cause(t.Context()))
		}
	}
}
