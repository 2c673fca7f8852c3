package redlock_test

import (
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election/memlease"
	"github.com/solocron/solocron/election/redlock"
)

func TestNodesThatAreNotIndependentAreRefusedWithTheFix(t *testing.T) {
	t.Parallel()
	a, b, c := redlock.NewWho("a", "1111111111", "master", false, 0, nil), redlock.NewWho("b", "2222222222", "master", false, 0, nil),
		redlock.NewWho("c", "3333333333", "master", false, 0, nil)
	for name, x := range map[string]struct {
		nodes []redlock.Who
		want  []string // in the error; none: it is nil
	}{
		"independent":          {[]redlock.Who{a, b, c}, nil},
		"one server twice":     {[]redlock.Who{a, b, redlock.NewWho("z", "1111111111", "master", false, 0, nil)}, []string{"nodes a and z", "11111111", "address of another server"}},
		"a replica":            {[]redlock.Who{a, b, redlock.NewWho("z", "4", "slave", false, 0, nil)}, []string{"node z", `"slave"`, "REPLICAOF NO ONE"}},
		"a cluster":            {[]redlock.Who{a, redlock.NewWho("z", "4", "master", true, 0, nil), c}, []string{"node z", "cluster-enabled no"}},
		"both":                 {[]redlock.Who{redlock.NewWho("y", "4", "slave", false, 0, nil), redlock.NewWho("z", "4", "master", true, 0, nil), c}, []string{"node y", "node z", "nodes y and z"}},
		"one does not say":     {[]redlock.Who{a, b, redlock.NewWho("z", "", "", false, 0, nil)}, nil},
		"one is away":          {[]redlock.Who{a, redlock.NewWho("z", "", "", false, 0, errAway), c}, nil},
		"a quorum is away":     {[]redlock.Who{redlock.NewWho("y", "", "", false, 0, errAway), redlock.NewWho("z", "", "", false, 0, errAway), c}, []string{"1 of 3", "node y: away", "node z: away"}},
		"a twin that fails":    {[]redlock.Who{a, b, redlock.NewWho("z", "1111111111", "master", false, 0, errAway)}, []string{"nodes a and z"}},
		"two that say none":    {[]redlock.Who{redlock.NewWho("y", "", "", false, 0, nil), redlock.NewWho("z", "", "", false, 0, nil), c}, nil},
		"an unknown role":      {[]redlock.Who{a, b, redlock.NewWho("z", "4", "", false, 0, nil)}, []string{"node z", `role ""`}},
		"young and on its own": {[]redlock.Who{a, b, redlock.NewWho("z", "4", "master", false, time.Minute, nil)}, nil},
	} {
		_, err := redlock.Judge(x.nodes, 2)
		if (err != nil) != (len(x.want) > 0) {
			t.Errorf("%s: got error %v, want one %t", name, err, len(x.want) > 0)
			continue
		}
		for _, words := range x.want {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%s: got %q, want it to say %q", name, err, words)
			}
		}
	}
}

func TestACheckWarnsOfWhatIsMissingAndOfWhoDoesNotVote(t *testing.T) {
	t.Parallel()
	warnings, err := redlock.Judge([]redlock.Who{
		redlock.NewWho("a", "1", "master", false, 34*time.Second, nil, "eviction"), redlock.NewWho("b", "2", "master", false, 0, nil),
		redlock.NewWho("c", "", "", false, 0, errAway),
	}, 2)
	got := strings.Join(warnings, "\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"node a", "votes in 34s", "node a: eviction", "node c: away", "loss of 0 more"} {
		if !strings.Contains(got, words) {
			t.Errorf("got warnings %q, want them to say %q", got, words)
		}
	}
}

func TestNodesThatCannotBeAMajorityAreRefused(t *testing.T) {
	t.Parallel()
	nodes, _ := memories(5)
	twin := redlock.Node{Name: "twin", Store: nodes[0].Store}
	for name, c := range map[string]struct {
		nodes []redlock.Node
		cfg   redlock.Config
		want  string
	}{
		"none":             {nil, redlock.Config{}, "0 nodes"},
		"one":              {nodes[:1], redlock.Config{}, "use 3, 5"},
		"four":             {nodes[:4], redlock.Config{}, "even number"},
		"a name twice":     {[]redlock.Node{nodes[0], nodes[1], {Name: "n1", Store: new(memlease.Store)}}, redlock.Config{}, `"n1" is there twice`},
		"a store twice":    {[]redlock.Node{nodes[0], nodes[1], twin}, redlock.Config{}, "the same store"},
		"no name":          {[]redlock.Node{nodes[0], nodes[1], {Store: new(memlease.Store)}}, redlock.Config{}, "node 3"},
		"no store":         {[]redlock.Node{nodes[0], nodes[1], {Name: "n"}}, redlock.Config{}, "has no store"},
		"negative timeout": {nodes[:3], redlock.Config{NodeTimeout: -1}, "negative"},
	} {
		if _, err := redlock.New(c.nodes, c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want it to say %q", name, err, c.want)
		}
	}
}

func TestWithoutClocksThereIsNoClock(t *testing.T) {
	t.Parallel()
	nodes, _ := memories(3)
	s := open(t, redlock.Config{}, nodes...)
	if _, err := s.Clock(t.Context()); err == nil || !strings.Contains(err.Error(), "node n2") {
		t.Errorf("got %v, want an error that names the nodes", err)
	}
	if warnings, err := s.Check(t.Context()); err != nil || len(warnings) != 0 {
		t.Errorf("check: got %v, %v, want nothing to say", warnings, err)
	}
}
