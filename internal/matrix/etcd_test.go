package matrix_test

import (
	"strings"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
)

// TestALeaseInEtcdOutlivesWhatChangesForItsUser: whatever an administrator changes
// makes the tokens of all users void, so that they must log in once more.
func TestALeaseInEtcdOutlivesWhatChangesForItsUser(t *testing.T) {
	t.Parallel()
	o := secureEtcd(t)
	lockDown(t, etcdClient(t, o))
	root := o
	root.Username, root.Password = "root", "root"
	admin := etcdClient(t, root)
	o.Username, o.Password = "solocron", "secret"
	s, err := etcdlease.New(etcdClient(t, o), prefix, "users", patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })

	ctx := t.Context()
	c := election.Claim{
		Key: "job", Owner: election.Owner(strings.Repeat("a", 32)), Mode: election.ForRequest, TTL: time.Minute, Retention: time.Hour, Holder: "replica",
	}
	a := s.Claim(ctx, []election.Claim{c})[0]
	if a.Answer != election.Granted {
		t.Fatalf("claim: got %+v", a)
	}
	renew := func() election.HoldAnswer {
		return s.Renew(ctx, []election.Hold{{Key: c.Key, Owner: c.Owner, Token: a.Token, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder}})[0]
	}
	if _, err := admin.UserAdd(ctx, "another", "password"); err != nil {
		t.Fatal(err)
	}
	if got := renew(); got.Standing != election.Good {
		t.Errorf("renewal after a change of users: got %+v", got)
	}

	from, to := prefix+"/", clientv3.GetPrefixRangeEnd(prefix+"/")
	if _, err := admin.RoleRevokePermission(ctx, "leases", from, to); err != nil {
		t.Fatal(err)
	}
	if got := renew(); got.Standing != election.Uncertain || got.Err == nil || !strings.Contains(got.Err.Error(), "permission denied") {
		t.Errorf("renewal without rights: got %+v, want that it is uncertain, and why", got)
	}
	if _, err := s.Check(ctx); err == nil || !strings.Contains(err.Error(), `the user needs read and write on all keys that begin with "`+prefix+"/users/") {
		t.Errorf("check without rights: got %v, want what is missing", err)
	}
	if _, err := admin.RoleGrantPermission(ctx, "leases", from, to, clientv3.PermissionType(clientv3.PermReadWrite)); err != nil {
		t.Fatal(err)
	}
	if got := renew(); got.Standing != election.Good {
		t.Errorf("renewal with rights again: got %+v", got)
	}
	if warnings, err := s.Check(ctx); err != nil {
		t.Errorf("check: %v, warnings %q", err, warnings)
	}
}

func TestAWrongPasswordOfEtcdIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	o := secureEtcd(t)
	lockDown(t, etcdClient(t, o))
	o.Username, o.Password = "solocron", "wrong"
	if c, err := clientv3.New(o); err == nil {
		_ = c.Close()
		t.Error("a client with a wrong password was made")
	} else if !strings.Contains(err.Error(), "authentication failed") || strings.Contains(err.Error(), "wrong") {
		t.Errorf("got %q, want that it failed to authenticate, without the password", err)
	}
}
