package redislease_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/election"
	"github.com/solocron/solocron/election/leasetest"
	"github.com/solocron/solocron/election/redislease"
	"github.com/solocron/solocron/internal/redistest"
)

const (
	patience  = 200 * time.Millisecond // for replicas
	abundance = 3 * time.Second        // what a loaded machine may take on top
)

// replicated starts a server with n replicas that have been seen to answer a WAIT:
// one that the master calls online may still be reading what it was sent.
func replicated(t testing.TB, n int) *redistest.Replicated {
	t.Helper()
	r := redistest.StartReplicated(t, n)
	rdb := redis.NewClient(redislease.Options(r.Master.Addr, try))
	defer rdb.Close()
	for deadline := time.Now().Add(20 * time.Second); ; {
		pipe := rdb.Pipeline()
		pipe.Set(t.Context(), "warm-up", 1, time.Second)
		have := pipe.Do(t.Context(), "wait", n, 100)
		if _, err := pipe.Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if have.Val() == int64(n) {
			return r
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v of %d replicas answer", have.Val(), n)
		}
	}
}

// waiting opens a store on a server that waits for so many of its replicas.
func waiting(t testing.TB, addr, namespace string, replicas int) *redislease.Store {
	t.Helper()
	rdb := redis.NewClient(redislease.Options(addr, try))
	t.Cleanup(func() { _ = rdb.Close() })
	s, err := redislease.New(rdb, "solocron", namespace, try, redislease.Wait{Replicas: replicas, Timeout: patience})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pause(t testing.TB, s *redistest.Server) {
	t.Helper()
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
}

func resume(t testing.TB, s *redistest.Server) {
	t.Helper()
	if err := s.Resume(); err != nil {
		t.Fatal(err)
	}
}

// due is a claim of the tick of this minute, by the nth owner.
func due(key string, n int) election.Claim {
	return election.Claim{
		Key: key, Owner: owner(n), Mode: election.ForTick, Tick: time.Now().UTC().Truncate(time.Minute),
		TTL: 5 * time.Second, Retention: time.Hour, Holder: "replica-" + strconv.Itoa(n),
	}
}

func claimed(c election.Claim, a election.ClaimAnswer) election.Hold {
	return election.Hold{
		Key: c.Key, Owner: c.Owner, Token: a.Token, Tick: c.Tick, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder,
	}
}

func ended(c election.Claim, a election.ClaimAnswer) election.End {
	return election.End{Key: c.Key, Owner: c.Owner, Token: a.Token, Outcome: election.OutcomeSucceeded, Retention: c.Retention}
}

func ask(t testing.TB, s election.Store, c election.Claim) election.ClaimAnswer {
	t.Helper()
	return s.Claim(t.Context(), []election.Claim{c})[0]
}

// granted claims c, and fails t if it is not granted.
func granted(t testing.TB, s election.Store, c election.Claim) election.ClaimAnswer {
	t.Helper()
	a := ask(t, s, c)
	if a.Answer != election.Granted {
		t.Fatalf("claim of %s by %s: got %+v, want a grant", c.Key, c.Holder, a)
	}
	return a
}

// wantUnreplicated fails t unless err says that too few replicas have it and,
// if undone, that it was taken back.
func wantUnreplicated(t testing.TB, err error, undone bool) {
	t.Helper()
	if !errors.Is(err, election.ErrUnreplicated) || errors.Is(err, election.ErrNotApplied) != undone {
		t.Errorf("got error %v, want ErrUnreplicated, and ErrNotApplied = %v", err, undone)
	}
}

func TestStoreThatWaitsForTwoReplicasKeepsTheContract(t *testing.T) {
	t.Parallel()
	r := replicated(t, 2)
	var n atomic.Int64
	leasetest.Run(t, leasetest.Wall, func(t *testing.T) leasetest.Subject {
		rdb := redis.NewClient(redislease.Options(r.Master.Addr, try))
		t.Cleanup(func() { _ = rdb.Close() })
		s, err := redislease.New(rdb, "solocron", "wait-"+strconv.FormatInt(n.Add(1), 10), try, redislease.Wait{Replicas: 2, Timeout: try / 2})
		if err != nil {
			t.Fatal(err)
		}
		return subject(s, rdb)
	})
}

func TestAGrantThatTooFewReplicasHaveIsTakenBack(t *testing.T) {
	t.Parallel()
	r := replicated(t, 2)
	two, one := waiting(t, r.Master.Addr, "test", 2), waiting(t, r.Master.Addr, "test", 1)
	pause(t, r.Replicas[1])
	began := time.Now()
	c := due("job", 1)
	a := ask(t, two, c)
	if took := time.Since(began); took < patience || took > patience+abundance {
		t.Errorf("the answer took %v, want a little more than %v", took, patience)
	}
	if a.Answer != election.Unknown || a.Token != 0 || a.Now.IsZero() {
		t.Errorf("got %+v, want unknown with the server's time", a)
	}
	wantUnreplicated(t, a.Err, true)
	records, err := two.Read(t.Context(), []string{"job"})
	if err != nil || records[0].State != election.StateFree || !records[0].Decided.IsZero() {
		t.Errorf("after the undo: got %+v, %v, want a free record and nothing decided", records, err)
	}
	granted(t, one, due("job", 2))
	resume(t, r.Replicas[1])
	granted(t, two, due("other", 1))
}

func TestWhatHoldersAreToldCountsOnlyWhenReplicated(t *testing.T) {
	t.Parallel()
	r := replicated(t, 2)
	s := waiting(t, r.Master.Addr, "test", 2)
	c := due("job", 1)
	a := granted(t, s, c)
	steps := map[string]func() election.HoldAnswer{
		"start": func() election.HoldAnswer { return s.Start(t.Context(), []election.Hold{claimed(c, a)})[0] },
		"renew": func() election.HoldAnswer { return s.Renew(t.Context(), []election.Hold{claimed(c, a)})[0] },
	}
	for _, name := range []string{"start", "renew"} {
		pause(t, r.Replicas[0])
		h := steps[name]()
		if h.Standing != election.Uncertain || h.Remaining != 0 || h.Now.IsZero() {
			t.Errorf("unreplicated %s: got %+v, want uncertain", name, h)
		}
		wantUnreplicated(t, h.Err, false)
		resume(t, r.Replicas[0])
		if h = steps[name](); h.Standing != election.Good || h.Remaining <= 0 {
			t.Errorf("%s again, replicated: got %+v, want good", name, h)
		}
	}
	pause(t, r.Replicas[0])
	if h := s.Release(t.Context(), []election.End{ended(c, a)})[0]; h.Standing != election.Good || h.Err != nil {
		t.Errorf("unreplicated release: got %+v, want good", h)
	}
	if h := s.Renew(t.Context(), []election.Hold{claimed(c, a)})[0]; h.Standing != election.Lost {
		t.Errorf("a renewal after it: got %+v, want lost, whoever has heard", h)
	}
}

func TestDecisionsThatTooFewReplicasHaveAreGivenAgainToTheSameOwner(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	s := waiting(t, r.Master.Addr, "test", 1)
	older := due("job", 1)
	older.Tick = older.Tick.Add(-time.Minute)
	a := granted(t, s, older)
	if h := s.Start(t.Context(), []election.Hold{claimed(older, a)})[0]; h.Standing != election.Good {
		t.Fatalf("start: got %+v", h)
	}
	missed := due("missed", 2)
	missed.Mode = election.Forfeit
	for c, want := range map[election.Claim]election.Answer{due("job", 2): election.Skipped, missed: election.Missed} {
		pause(t, r.Replicas[0])
		first := ask(t, s, c)
		if first.Answer != election.Unknown {
			t.Errorf("unreplicated: got %+v, want unknown", first)
		}
		wantUnreplicated(t, first.Err, false)
		second := ask(t, s, c)
		if second.Answer != election.Unknown || !errors.Is(second.Err, election.ErrUnreplicated) {
			t.Errorf("again, unreplicated: got %+v, want unknown", second)
		}
		resume(t, r.Replicas[0])
		if third := ask(t, s, c); third.Answer != want {
			t.Errorf("again, replicated: got %+v, want answer %d", third, want)
		}
		c.Owner = owner(3)
		if other := ask(t, s, c); other.Answer != election.Spent {
			t.Errorf("another owner: got %+v, want spent", other)
		}
	}
}

func TestWhatIsNoReasonToActNeedsNoReplicas(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	s := waiting(t, r.Master.Addr, "test", 1)
	c := due("job", 1)
	a := granted(t, s, c)
	pause(t, r.Replicas[0])
	early := due("early", 2)
	early.Tick = early.Tick.Add(time.Hour)
	answers := s.Claim(t.Context(), []election.Claim{due("job", 2), early, due("new", 2)})
	for i, want := range []election.Answer{election.Held, election.Early, election.Unknown} {
		if answers[i].Answer != want {
			t.Errorf("claim %d: got %+v, want answer %d", i, answers[i], want)
		}
	}
	h := claimed(c, a)
	h.Token--
	if got := s.Renew(t.Context(), []election.Hold{h})[0]; got.Standing != election.Lost {
		t.Errorf("a renewal by a former holder: got %+v, want lost", got)
	}
}

// TestAGrantThatTellsOfAnAbandonedRunTellsItAgain, as nobody else ever will.
func TestAGrantThatTellsOfAnAbandonedRunTellsItAgain(t *testing.T) {
	t.Parallel()
	r := replicated(t, 1)
	s := waiting(t, r.Master.Addr, "test", 1)
	dead := due("job", 1)
	dead.Mode, dead.Tick, dead.TTL = election.ForRequest, time.Time{}, 100*time.Millisecond
	a := granted(t, s, dead)
	if h := s.Start(t.Context(), []election.Hold{claimed(dead, a)})[0]; h.Standing != election.Good {
		t.Fatalf("start: got %+v", h)
	}
	<-time.After(2 * dead.TTL)
	pause(t, r.Replicas[0])
	c := due("job", 2)
	first := ask(t, s, c)
	if first.Answer != election.Unknown {
		t.Errorf("unreplicated: got %+v, want unknown", first)
	}
	wantUnreplicated(t, first.Err, false)
	resume(t, r.Replicas[0])
	if again := granted(t, s, c); again.Prev == nil || again.Prev.Token != a.Token {
		t.Errorf("again, replicated: got %+v, want the abandoned run with token %d", again.Prev, a.Token)
	}
}

func TestWaitThatCannotWorkIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wait redislease.Wait
		want string
	}{
		{redislease.Wait{}, ""},
		{redislease.Wait{Replicas: 1, Timeout: try - time.Millisecond}, ""},
		{redislease.Wait{Timeout: time.Second}, "0 replicas"},
		{redislease.Wait{Replicas: -1, Timeout: time.Second}, "-1 replicas"},
		{redislease.Wait{Replicas: 101, Timeout: time.Second}, "101 replicas"},
		{redislease.Wait{AOF: true}, "0 replicas"},
		{redislease.Wait{Replicas: 1}, "wait for ever"},
		{redislease.Wait{Replicas: 1, Timeout: time.Microsecond}, "1µs"},
		{redislease.Wait{Replicas: 1, Timeout: 1500 * time.Microsecond}, "1.5ms"},
		{redislease.Wait{Replicas: 1, Timeout: try}, "less than the try time-out 5s"},
	} {
		o := redislease.Options("127.0.0.1:1", try)
		o.MinIdleConns = 0
		rdb := redis.NewClient(o)
		_, err := redislease.New(rdb, "solocron", "test", try, c.wait)
		_ = rdb.Close()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got error %v, want %q", c.wait, err, c.want)
		}
	}
}

// BenchmarkWait is what a claim, a renewal and a release cost while none, one or both
// of two replicas on this machine are waited for, and how many commands that takes.
func BenchmarkWait(b *testing.B) {
	r := replicated(b, 2)
	for _, jobs := range []int{1, 1000} {
		for replicas := range 3 {
			b.Run(fmt.Sprintf("jobs-%d/replicas-%d", jobs, replicas), func(b *testing.B) {
				rdb := redis.NewClient(redislease.Options(r.Master.Addr, try))
				defer rdb.Close()
				wait := redislease.Wait{Replicas: replicas, Timeout: time.Second}
				if replicas == 0 {
					wait = redislease.Wait{}
				}
				s, err := redislease.New(rdb, "solocron", b.Name(), try, wait)
				if err != nil {
					b.Fatal(err)
				}
				c := &costs{b: b, rdb: rdb, items: jobs, best: make(map[string]float64)}
				f := newFleet(b, s, jobs)
				waits, scripts := c.info("commandstats", "cmdstat_wait:", "calls="), c.info("commandstats", "cmdstat_evalsha:", "calls=")
				rounds := 0.0
				for b.Loop() {
					rounds++
					f.tick = f.tick.Add(time.Second)
					f.next()
					c.of("1claim", func() { f.claim(election.Granted) })
					c.of("2renew", func() { f.good(f.store.Renew(b.Context(), f.holds)) })
					c.of("3release", func() { f.good(f.store.Release(b.Context(), f.ends)) })
				}
				for _, step := range []string{"1claim", "2renew", "3release"} {
					b.ReportMetric(c.best[step+"-wall"]*float64(jobs), step+"-us/call")
				}
				b.ReportMetric((c.info("commandstats", "cmdstat_wait:", "calls=")-waits)/rounds/3, "waits/call")
				b.ReportMetric((c.info("commandstats", "cmdstat_evalsha:", "calls=")-scripts)/rounds/3, "scripts/call")
			})
		}
	}
}

// TestADecisionThatIsGivenAgainIsWrittenAgain: from Redis 7.2 on WAIT is about the
// last write of its connection. If the repeated claim, perhaps on another one, only
// read, WAIT would answer for something older.
func TestADecisionThatIsGivenAgainIsWrittenAgain(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, rdb := open(t, redis.NewClient(redislease.Options(server.Addr, try)), "test")
	writes := func() string {
		info := rdb.Info(t.Context(), "commandstats").Val()
		_, rest, _ := strings.Cut(info, "cmdstat_hset:calls=")
		calls, _, _ := strings.Cut(rest, ",")
		return calls
	}
	c := due("job", 1)
	c.Mode = election.Forfeit
	for _, want := range []string{"1", "2"} {
		if a := ask(t, s, c); a.Answer != election.Missed {
			t.Errorf("got %+v, want missed", a)
		}
		if got := writes(); got != want {
			t.Errorf("got %s writes so far, want %s", got, want)
		}
	}
}
