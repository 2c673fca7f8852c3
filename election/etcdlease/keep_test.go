package etcdlease_test

import (
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/election/internal/ledger"
	"github.com/solocron/solocron/internal/etcdtest"
)

func TestRecordsOfOneRetentionStandOnOneEtcdLease(t *testing.T) {
	t.Parallel()
	c := client(t, etcdtest.Start(t, 1).Endpoints(), 5*time.Second)
	s := open(t, c, "test", 20*time.Second)
	leases := make(map[int64]bool)
	for _, key := range []string{"one", "two", "three"} {
		claim := request(key, 1)
		a := s.Claim(t.Context(), []election.Claim{claim})[0]
		h := holdOf(&claim, &a)
		if got := s.Release(t.Context(), []election.End{endOf(&h)})[0]; got.Standing != election.Good {
			t.Fatalf("release: got %+v, want Good", got)
		}
		found, err := c.Get(t.Context(), s.RecordKey(key))
		if err != nil || len(found.Kvs) != 1 {
			t.Fatalf("record of %q: got %v, %v", key, found, err)
		}
		leases[found.Kvs[0].Lease] = true
	}
	if len(leases) != 1 {
		t.Errorf("three records stand on %d etcd leases, want 1", len(leases))
	}
	for id := range leases {
		got, err := c.TimeToLive(t.Context(), clientv3.LeaseID(id))
		if err != nil {
			t.Fatal(err)
		}
		if least := int64(3600 - 10); got.TTL < least || got.TTL > 3600*8/5 {
			t.Errorf("a record kept for an hour vanishes after %d s", got.TTL)
		}
	}
}

func TestAnEtcdLeaseThatIsGoneIsReplaced(t *testing.T) {
	t.Parallel()
	c := client(t, etcdtest.Start(t, 1).Endpoints(), 5*time.Second)
	s := open(t, c, "test", 20*time.Second)
	if a := s.Claim(t.Context(), []election.Claim{request("one", 1)})[0]; a.Answer != election.Granted {
		t.Fatalf("got %+v, want a grant", a)
	}
	found, err := c.Get(t.Context(), s.RecordKey("one"))
	if err != nil || len(found.Kvs) != 1 {
		t.Fatalf("got %v, %v, want a record", found, err)
	}
	if _, err := c.Revoke(t.Context(), clientv3.LeaseID(found.Kvs[0].Lease)); err != nil {
		t.Fatal(err)
	}
	if a := s.Claim(t.Context(), []election.Claim{request("two", 2)})[0]; a.Answer != election.Granted {
		t.Errorf("got %+v, want a grant", a)
	}
}

func TestNothingIsLeftOfAPlainLockAndNothingKeepsAClosedGateFromStaying(t *testing.T) {
	t.Parallel()
	c := client(t, etcdtest.Start(t, 1).Endpoints(), 5*time.Second)
	s := open(t, c, "test", 20*time.Second)
	lock := request("lock", 1)
	lock.Retention = 0
	a := s.Claim(t.Context(), []election.Claim{lock})[0]
	h := holdOf(&lock, &a)
	s.Start(t.Context(), []election.Hold{h})
	s.Release(t.Context(), []election.End{endOf(&h)})
	if err := s.SetGate(t.Context(), "paused", election.Gate{Closed: true}); err != nil {
		t.Fatal(err)
	}
	found, err := c.Get(t.Context(), s.Head(), clientv3.WithPrefix())
	if err != nil || len(found.Kvs) != 1 || string(found.Kvs[0].Key) != s.RecordKey("paused") || found.Kvs[0].Lease != 0 {
		t.Errorf("got %v, %v, want the closed gate alone, on no etcd lease", found, err)
	}
}

func TestALeaseWhoseRecordWasDeletedStaysClosed(t *testing.T) {
	t.Parallel()
	c := client(t, etcdtest.Start(t, 1).Endpoints(), 5*time.Second)
	s := open(t, c, "test", 20*time.Second)
	claim := request("job", 1)
	a := s.Claim(t.Context(), []election.Claim{claim})[0]
	s.Start(t.Context(), []election.Hold{holdOf(&claim, &a)})
	if _, err := c.Delete(t.Context(), s.RecordKey("job")); err != nil {
		t.Fatal(err)
	}
	if got := s.Claim(t.Context(), []election.Claim{request("job", 2)})[0]; got.Answer != election.Quarantine {
		t.Errorf("got %+v, want Quarantine", got)
	}
	if got := s.Renew(t.Context(), []election.Hold{holdOf(&claim, &a)})[0]; got.Standing != election.Reinstated {
		t.Errorf("renewal: got %+v, want Reinstated", got)
	}
}

func TestACheckNeedsAnEtcdThatAnswersAndMayBeWritten(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1)
	root := client(t, cluster.Endpoints(), 5*time.Second)
	s := open(t, root, "test", 2*time.Second)
	if warnings, err := s.Check(t.Context()); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "only endpoint") {
		t.Errorf("got %q, %v, want the one warning that there is one endpoint", warnings, err)
	}
	allow(t, root, s.Head())
	as := func(password, namespace string) (*etcdlease.Store, error) {
		o := etcdlease.Options(cluster.Endpoints(), 5*time.Second)
		o.Username, o.Password = "cron", password
		c, err := clientv3.New(o)
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = c.Close() })
		return open(t, c, namespace, 20*time.Second), nil
	}
	if _, err := as("wrong", "test"); err == nil || strings.Contains(err.Error(), "wrong") {
		t.Errorf("with a wrong password: got %v, want an error that does not say it", err)
	}
	mine, err := as("right", "test")
	if err != nil {
		t.Fatal(err)
	}
	claim := request("job", 1)
	if _, err := mine.Check(t.Context()); err != nil {
		t.Errorf("with the right password: got %v", err)
	}
	if a := mine.Claim(t.Context(), []election.Claim{claim})[0]; a.Answer != election.Granted {
		t.Errorf("with the right password: got %+v, want a grant", a)
	}
	others, err := as("right", "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := others.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "needs read and write") {
		t.Errorf("outside of what is allowed: got %v, want what the user needs", err)
	}
	cluster.Stop()
	if _, err := mine.Check(t.Context()); err == nil {
		t.Error("without etcd: got no error")
	}
}

// allow makes etcd ask for passwords, and a user who may write below head.
func allow(t *testing.T, root *clientv3.Client, head string) {
	t.Helper()
	ctx := t.Context()
	_, err := root.RoleAdd(ctx, "cron")
	if err == nil {
		_, err = root.RoleGrantPermission(ctx, "cron", head, clientv3.GetPrefixRangeEnd(head), clientv3.PermissionType(clientv3.PermReadWrite))
	}
	for _, user := range []struct{ name, password, role string }{{"root", "secret", "root"}, {"cron", "right", "cron"}} {
		if err == nil {
			_, err = root.UserAdd(ctx, user.name, user.password)
		}
		if err == nil {
			_, err = root.UserGrantRole(ctx, user.name, user.role)
		}
	}
	if err == nil {
		_, err = root.AuthEnable(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatCannotWorkIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	c := client(t, []string{"http://127.0.0.1:1"}, time.Second)
	for name, open := range map[string]func() (*etcdlease.Store, error){
		"no client":        func() (*etcdlease.Store, error) { return etcdlease.New(nil, "solocron", "test", time.Second) },
		"no time":          func() (*etcdlease.Store, error) { return etcdlease.New(c, "solocron", "test", 0) },
		"an empty prefix":  func() (*etcdlease.Store, error) { return etcdlease.New(c, "", "test", time.Second) },
		"an odd namespace": func() (*etcdlease.Store, error) { return etcdlease.New(c, "solocron", "a b", time.Second) },
		"a long namespace": func() (*etcdlease.Store, error) {
			return etcdlease.New(c, "solocron", strings.Repeat("n", 101), time.Second)
		},
	} {
		if _, err := open(); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestATokenFromAClockThatIsDaysAheadFreezesNothing(t *testing.T) {
	t.Parallel()
	c := client(t, etcdtest.Start(t, 1).Endpoints(), 5*time.Second)
	s := open(t, c, "test", 20*time.Second)
	ahead := time.Now().Add(72 * time.Hour).UnixMicro()
	record, err := etcdlease.Encode(&ledger.Record{Token: ahead, State: election.StateDone}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Put(t.Context(), s.RecordKey("job"), record); err != nil {
		t.Fatal(err)
	}
	claim := request("job", 1)
	claim.Floor.Token = ahead
	if a := s.Claim(t.Context(), []election.Claim{claim})[0]; a.Answer != election.Granted || a.Token != ahead+1 {
		t.Errorf("got %+v, want a grant with token %d", a, ahead+1)
	}
}
