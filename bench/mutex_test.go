package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

func TestOnlyTheCommandsOfAPeerAreCounted(t *testing.T) {
	t.Parallel()
	info := "# Commandstats\r\ncmdstat_evalsha:calls=30,usec=1\r\ncmdstat_set:calls=7,usec=1\r\ncmdstat_get:calls=99,usec=1\r\n"
	for want, names := range map[int64][]string{37: {"set", "evalsha", "eval"}, 30: {"evalsha"}, 0: {"eval"}} {
		if got := ParseCalls(info, names); got != want {
			t.Errorf("of %v: got %d calls, want %d", names, got, want)
		}
	}
}

// TestEveryPeerLocksAndIsNeverContended runs the section with next to nothing to do.
func TestEveryPeerLocksAndIsNeverContended(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server, err := StartServer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	rows, err := mutexRows(ctx, server, 2, 64, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 5 {
		t.Fatalf("got %d rows, want two for each number of goroutines and one of commands", len(rows))
	}
	for _, r := range rows {
		if len(r.Ratios) != 4 || r.Value <= 0 || !strings.HasPrefix(r.Name, "locks") {
			t.Errorf("row %+v lacks a peer or a value", r)
		}
	}
	if commands := rows[4]; commands.Judge() != Pass || commands.Value != 2 {
		t.Errorf("obtain and release took %v commands at worst, want 2", commands.Worst)
	}
}

// TestTheGoalIsTheFasterRival has redsync fast in one round and redislock in the other.
func TestTheGoalIsTheFasterRival(t *testing.T) {
	t.Parallel()
	figures := map[string]map[int]*MutexFigures{
		"solocron":    {1: {Rates: []float64{100, 100}}},
		"redsync":     {1: {Rates: []float64{200, 50}}},
		"redislock":   {1: {Rates: []float64{50, 100}}},
		"rueidislock": {1: {Rates: []float64{1000, 1000}}},
	}
	row := mutexRow(figures, []string{"solocron", "redsync", "redislock", "rueidislock"}, 1)
	if row.Value != 0.5 || row.Worst != 0.5 || row.Judge() != Fail {
		t.Errorf("got %v, worst %v, %v; want 0.5 and a miss", row.Value, row.Worst, row.Judge())
	}
}
