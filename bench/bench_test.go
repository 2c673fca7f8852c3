package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPercentileIsTheSmallestThatCoversTheShare(t *testing.T) {
	t.Parallel()
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = i + 1
	}
	for _, c := range []struct {
		values []int
		p      int
		want   int
	}{
		{nil, 99, 0},
		{[]int{7}, 50, 7},
		{[]int{1, 2}, 50, 1},
		{[]int{1, 2, 3}, 50, 2},
		{hundred, 99, 99},
		{hundred, 100, 100},
		{hundred, 1, 1},
		{hundred, 0, 1},
	} {
		if got := Percentile(c.values, c.p); got != c.want {
			t.Errorf("Percentile(%d values, %d): got %d, want %d", len(c.values), c.p, got, c.want)
		}
	}
}

func TestDoubledAndMissedTicksDoNotCancelOut(t *testing.T) {
	t.Parallel()
	got := Count([]Shot{{0, 10, 1000}, {0, 10, 3000}, {1, 10, 2000}, {1, 20, 4000}}, 2, 2)
	if got.Runs != 4 || got.Due != 4 || got.RunsPerTick() != 1 {
		t.Errorf("got %d runs of %d ticks, want 4 of 4", got.Runs, got.Due)
	}
	if got.Doubled != 1 || got.Missed != 1 || got.Exact() {
		t.Errorf("got %d doubled, %d missed, exact %v; want 1, 1, false", got.Doubled, got.Missed, got.Exact())
	}
	if got.P50 != 2*time.Millisecond || got.P99 != 4*time.Millisecond {
		t.Errorf("got p50 %v p99 %v, want 2ms and 4ms", got.P50, got.P99)
	}
}

func TestOnlyCommandsOfClientsAreCounted(t *testing.T) {
	t.Parallel()
	got := ParseLoad("# Commandstats\r\n" +
		"cmdstat_evalsha:calls=30,usec=1,usec_per_call=1\r\n" +
		"cmdstat_hmget:calls=9000,usec=1\r\n" +
		"cmdstat_hset:calls=9000,usec=1\r\n" +
		"cmdstat_publish:calls=4,usec=1\r\n" +
		"cmdstat_info:calls=2,usec=1\r\n" +
		"# CPU\r\nused_cpu_sys:0.5\r\nused_cpu_user:1.25\r\nused_cpu_sys_children:9\r\n")
	if got.Commands != 34 || got.CPU != 1750*time.Millisecond {
		t.Errorf("got %d commands and %v, want 34 and 1.75s", got.Commands, got.CPU)
	}
}

func TestShotsOutsideTheWindowDoNotCount(t *testing.T) {
	t.Parallel()
	from := time.Unix(1000, 0)
	rec := NewRecorder(4)
	for _, s := range []int64{999, 1000, 1009, 1010} {
		rec.Record(0, time.Unix(s, 0))
	}
	got, err := rec.Within(Window{from, from.Add(10 * time.Second)})
	if err != nil || len(got) != 2 || got[0].Tick != 1000 || got[1].Tick != 1009 {
		t.Errorf("got %v, %v; want the ticks 1000 and 1009", got, err)
	}
	rec.Record(0, from)
	if _, err := rec.Within(Window{from, from.Add(time.Second)}); err == nil {
		t.Error("got no error for more starts than there is room for")
	}
}

func TestWindowBeginsAtATickThatLiesAhead(t *testing.T) {
	t.Parallel()
	now := time.Unix(1003, 500).UTC()
	w := Cell{Period: 10 * time.Second, Ticks: 2}.window(now)
	if !w.From.Equal(time.Unix(1010, 0)) || !w.Until.Equal(time.Unix(1030, 0)) {
		t.Errorf("got %v, want 1010 to 1030", w)
	}
	late := Cell{Period: 10 * time.Second, Ticks: 1}.window(time.Unix(1009, 0))
	if !late.From.Equal(time.Unix(1020, 0)) {
		t.Errorf("got %v, want the tick after the next", late.From)
	}
}

func TestARowIsJudgedByItsMedianUnlessItMustHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		row  Row
		want Judgement
	}{
		{Row{Value: 50, Worst: 70, Goal: atMost(60)}, Pass},
		{Row{Value: 61, Worst: 61, Goal: atMost(60)}, Fail},
		{Row{Value: 4.9, Worst: 4.9, Goal: atLeast(5)}, Fail},
		{Row{Value: 1, Worst: 1, Goal: exactly(1), Must: true}, Pass},
		{Row{Value: 1, Worst: -1, Goal: exactly(1), Must: true}, Fail},
		{Row{Value: 1e9}, Info},
	} {
		if got := c.row.Judge(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.row, got, c.want)
		}
	}
}

func TestAShortRunFailsOnlyForWhatMustHold(t *testing.T) {
	t.Parallel()
	slow := Row{Name: "slow", Value: 2, Worst: 2, Goal: atMost(1)}
	twice := Row{Name: "twice", Value: 1, Worst: -1, Goal: exactly(1), Must: true}
	if err := verdict([]Row{slow}, true); err != nil {
		t.Errorf("short, slow: got %v, want no error", err)
	}
	if err := verdict([]Row{slow}, false); err == nil {
		t.Error("long, slow: got no error")
	}
	if err := verdict([]Row{slow, twice}, true); err == nil || strings.Contains(err.Error(), "slow") {
		t.Errorf("short, doubled: got %v, want an error about it alone", err)
	}
}

func TestBurstRowsCompareMediansWithPeers(t *testing.T) {
	t.Parallel()
	out := func(p99 time.Duration, doubled int) Outcome {
		return Outcome{
			Tally: Tally{Due: 10, Runs: 10, Doubled: doubled, Missed: doubled, P99: p99}, Window: time.Second,
			Reports: []Report{{RSS: 1 << 20, CPU: time.Millisecond}}, Redis: Load{Commands: 5},
		}
	}
	b := Burst{Jobs: 5, P99: 60, Systems: []string{"ours", "peer"}}
	rows := b.rows(map[string][]Outcome{
		"ours": {out(30*time.Millisecond, 0), out(90*time.Millisecond, 0), out(40*time.Millisecond, 1)},
		"peer": {out(80*time.Millisecond, 0), out(80*time.Millisecond, 0), out(10*time.Millisecond, 0)},
	})
	find := func(suffix string) Row {
		i := slices.IndexFunc(rows, func(r Row) bool { return strings.HasSuffix(r.Name, suffix) })
		if i < 0 {
			t.Fatalf("no row %q", suffix)
		}
		return rows[i]
	}
	p99 := find("lateness p99")
	if p99.Value != 40 || p99.Worst != 90 || p99.Ratios[0].Ratio != 0.5 || p99.Judge() != Pass {
		t.Errorf("p99: got %+v, want 40, worst 90, half of the peer's, pass", p99)
	}
	if got := find("commands per run").Value; got != 0.5 {
		t.Errorf("commands per run: got %v, want 0.5", got)
	}
	if got := find("runs per tick").Judge(); got != Fail {
		t.Errorf("one tick doubled, one missed: got %s, want %s", got, Fail)
	}
}
