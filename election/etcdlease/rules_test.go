package etcdlease_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/etcdlease"
	"github.com/solocron/solocron/election/internal/ledger"
)

func TestEtcdAloneSaysWhetherALeaseIsOver(t *testing.T) {
	t.Parallel()
	const now, term, delay = int64(1_000_000_000), int64(5000), int64(2000)
	held := ledger.Record{Owner: "me", State: election.StateRunning}
	claimed := ledger.Record{Owner: "me", State: election.StateClaimed}
	revoked := ledger.Record{State: election.StateRevoked}
	for name, c := range map[string]struct {
		r                    ledger.Record
		found, lease, closed bool
		live, shut           bool // shut: nobody else gets in
	}{
		"a run that is renewed":           {held, true, true, true, true, true},
		"a run whose lease has ended":     {held, true, false, true, false, true},
		"and whose lock delay is over":    {held, true, false, false, false, false},
		"a run without a lock delay":      {held, true, true, false, true, true},
		"a claim":                         {claimed, true, true, false, true, true},
		"a claim that has ended":          {claimed, true, false, false, false, false},
		"revoked":                         {revoked, true, false, true, false, true},
		"revoked, and the time is over":   {revoked, true, false, false, false, false},
		"nothing":                         {ledger.Record{}, false, false, false, false, false},
		"a lease whose record is missing": {ledger.Record{}, false, true, false, false, true},
		"a delay whose record is missing": {ledger.Record{}, false, false, true, false, true},
	} {
		r := etcdlease.Place(c.r, c.found, c.lease, c.closed, term, now)
		claim := election.Claim{Mode: election.ForRequest, Owner: "other", LockDelay: 2e9, TTL: 1e9}
		ask := ledger.NewAsk(&claim, ledger.Instant{MS: now, US: now * 1000})
		if got := r.Live(now); got != c.live {
			t.Errorf("%s: live is %t, want %t", name, got, c.live)
		}
		if got := ledger.Weigh(&r, &ask) != ledger.StepGrant; got != c.shut {
			t.Errorf("%s: closed to others is %t, want %t", name, got, c.shut)
		}
		if held, closed := etcdlease.Terms(&r, now); c.live && (held != term || closed != 0) {
			t.Errorf("%s: written again, it lasts for %d and %d, want %d and 0", name, held, closed, term)
		}
	}
	held.Expires, held.Delay = now+term, delay
	if lease, closed := etcdlease.Terms(&held, now); lease != term || closed != term+delay {
		t.Errorf("a run: got %d and %d, want %d and %d", lease, closed, term, term+delay)
	}
}

func TestStepsOfOneCallAreWrittenTogether(t *testing.T) {
	t.Parallel()
	nothing := ledger.Change{}
	noted, timed := ledger.Change{What: ledger.Noted, Life: 10}, ledger.Change{What: ledger.Timed, Life: 20}
	late, dropped := ledger.Change{What: ledger.Noted, Life: ledger.SameLife}, ledger.Change{What: ledger.Dropped}
	for _, c := range []struct {
		steps          []ledger.Change
		what           ledger.What
		life           int64
		found, retimed bool
	}{
		{nil, ledger.Nothing, 0, true, false},
		{[]ledger.Change{nothing, nothing}, ledger.Nothing, 0, true, false},
		{[]ledger.Change{late}, ledger.Noted, ledger.SameLife, true, false},
		{[]ledger.Change{noted, late}, ledger.Noted, 10, true, false},
		{[]ledger.Change{late, timed, nothing}, ledger.Timed, 20, true, true},
		{[]ledger.Change{timed, noted}, ledger.Timed, 10, true, true},
		{[]ledger.Change{timed, dropped}, ledger.Dropped, 0, false, true},
		{[]ledger.Change{dropped, noted}, ledger.Dropped, 10, true, true},
	} {
		got, found, retimed := etcdlease.Take(c.steps...)
		if got.What != c.what || got.Life != c.life || found != c.found || retimed != c.retimed {
			t.Errorf("%+v: got %+v, %t, %t, want %+v", c.steps, got, found, retimed, c)
		}
	}
}

func TestOnlyWhatAMemberIsSureOfIsDefinite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want any
	}{
		{nil, etcdlease.Fine},
		{rpctypes.ErrLeaseNotFound, etcdlease.Leftover},
		{rpctypes.ErrPermissionDenied, etcdlease.Declined},
		{rpctypes.ErrNoSpace, etcdlease.Declined},
		{rpctypes.ErrInvalidAuthToken, etcdlease.Declined},
		{rpctypes.ErrRequestTooLarge, etcdlease.Declined},
		{status.Error(codes.Unimplemented, "unknown service"), etcdlease.Declined},
		{rpctypes.ErrTimeout, etcdlease.Open},
		{rpctypes.ErrNoLeader, etcdlease.Open},
		{rpctypes.ErrLeaderChanged, etcdlease.Open},
		{rpctypes.ErrCorrupt, etcdlease.Open},
		{status.Error(codes.Unavailable, "connection reset"), etcdlease.Open},
		{status.Error(codes.ResourceExhausted, "the answer is too large"), etcdlease.Open},
		{context.DeadlineExceeded, etcdlease.Open},
		{errors.New("never seen"), etcdlease.Open},
	} {
		if got := etcdlease.Judge(c.err); any(got) != c.want {
			t.Errorf("%v: got %v, want %v", c.err, got, c.want)
		}
	}
}

func TestAKeeperLastsLongEnoughAndThereAreFew(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.Int64Range(60, 10*366*24*3600).Draw(t, "seconds")
		if got := etcdlease.Rung(want); got < want || got > want+want/4 {
			t.Fatalf("%d s: got %d", want, got)
		}
	})
	rungs := make(map[int64]bool)
	for s := int64(60); s < 10*366*24*3600; s += s / 50 {
		rungs[etcdlease.Rung(s)] = true
	}
	if len(rungs) > 120 {
		t.Errorf("got %d rungs, want at most 120", len(rungs))
	}
	for ms, want := range map[int64]int64{1: 1, 1000: 1, 1001: 2, 30_000: 30} {
		if got := etcdlease.Seconds(ms); got != want {
			t.Errorf("%d ms: got %d s, want %d", ms, got, want)
		}
	}
}

func TestACheckNamesWhatIsWrongWithAMember(t *testing.T) {
	t.Parallel()
	good := func(endpoint string) etcdlease.Heard {
		return etcdlease.Heard{Endpoint: endpoint, Status: &pb.StatusResponse{Header: &pb.ResponseHeader{ClusterId: 7}, Version: "3.10.1"}}
	}
	with := func(change func(*pb.StatusResponse)) etcdlease.Heard {
		h := good("b")
		change(h.Status)
		return h
	}
	silent := etcdlease.Heard{Endpoint: "b", Err: errors.New("refused")}
	for name, c := range map[string]struct {
		said          []etcdlease.Heard
		warning, want string
	}{
		"all is well":    {[]etcdlease.Heard{good("a"), good("b")}, "", ""},
		"one is away":    {[]etcdlease.Heard{good("a"), silent}, "b does not answer", ""},
		"all are away":   {[]etcdlease.Heard{silent, silent}, "b does not answer", "b: refused"},
		"only one":       {[]etcdlease.Heard{good("a")}, "only endpoint", ""},
		"too old":        {[]etcdlease.Heard{good("a"), with(func(s *pb.StatusResponse) { s.Version = "3.3.27" })}, "", "b runs version 3.3.27"},
		"a learner":      {[]etcdlease.Heard{good("a"), with(func(s *pb.StatusResponse) { s.IsLearner = true })}, "", "b is a learner"},
		"another's":      {[]etcdlease.Heard{good("a"), with(func(s *pb.StatusResponse) { s.Header.ClusterId = 8 })}, "", "2 clusters"},
		"full":           {[]etcdlease.Heard{good("a"), with(func(s *pb.StatusResponse) { s.Errors = []string{"memberID:1 alarm:NOSPACE "} })}, "", "alarm:NOSPACE"},
		"nearly full":    {[]etcdlease.Heard{good("a"), with(func(s *pb.StatusResponse) { s.DbSize = 1700 << 20 })}, "auto-compaction", ""},
		"without leader": {[]etcdlease.Heard{good("a"), with(func(s *pb.StatusResponse) { s.Errors = []string{"etcdserver: no leader"} })}, "", ""},
	} {
		warnings, err := etcdlease.WeighMembers(c.said...)
		if got := strings.Join(warnings, "\n"); !strings.Contains(got, c.warning) || (c.warning == "") != (got == "") {
			t.Errorf("%s: got warnings %q, want %q", name, got, c.warning)
		}
		if got := fmt.Sprint(err); (c.want == "") != (err == nil) || !strings.Contains(got, c.want) && c.want != "" {
			t.Errorf("%s: got error %q, want %q", name, got, c.want)
		}
	}
	for version, want := range map[string]bool{"3.3.9": true, "2.9": true, "3.4.0": false, "3.4": false, "3.10.1": false, "4.0.0": false, "": true} {
		if got := etcdlease.Older(version, "3.4"); got != want {
			t.Errorf("%q is older than 3.4: got %t, want %t", version, got, want)
		}
	}
}
