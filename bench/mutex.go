package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// mutexKeys is how many locks are taken in turn; none is ever contended.
const mutexKeys = 2048

// MutexFigures is what locks cost one peer at one number of goroutines, by round.
type MutexFigures struct {
	Rates    []float64 // cycles of obtain and release per second
	P50, P99 []time.Duration
	Commands []float64 // sent to Redis per cycle
}

// mutexBench measures locks of many peers on one server.
type mutexBench struct {
	server *Server
	peers  []mutexPeer
	keys   []string
}

func mutexKeyNames() []string {
	keys := make([]string, mutexKeys)
	for i := range keys {
		keys[i] = "key-" + strconv.Itoa(i)
	}
	return keys
}

// measureMutexes takes turns in rounds, so that whatever else the machine does
// falls on all peers, each round beginning with another.
func measureMutexes(ctx context.Context, server *Server, goroutines []int, rounds, cycles int) (map[string]map[int]*MutexFigures, []string, error) {
	if err := server.Flush(ctx); err != nil {
		return nil, nil, err
	}
	peers, err := newMutexPeers(server.Addr)
	if err != nil {
		return nil, nil, err
	}
	defer closeAll(peers)
	b := &mutexBench{server: server, peers: peers, keys: mutexKeyNames()}
	figures, names := make(map[string]map[int]*MutexFigures), make([]string, len(peers))
	for i, p := range peers {
		names[i], figures[p.name] = p.name, make(map[int]*MutexFigures)
		for _, n := range goroutines {
			figures[p.name][n] = new(MutexFigures)
			if err := b.turn(ctx, p, n, max(cycles/5, n), new(MutexFigures)); err != nil { // warms up
				return nil, nil, err
			}
		}
	}
	for round := range rounds {
		for _, n := range goroutines {
			for i := range peers {
				p := peers[(round+i)%len(peers)]
				if err := b.turn(ctx, p, n, cycles, figures[p.name][n]); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	return figures, names, nil
}

// turn does cycles with p on n goroutines and adds what they cost to f.
func (b *mutexBench) turn(ctx context.Context, p mutexPeer, n, cycles int, f *MutexFigures) error {
	before, err := b.calls(ctx, p.commands)
	if err != nil {
		return err
	}
	took, errs := make([][]time.Duration, n), make([]error, n)
	begun := time.Now()
	var wg sync.WaitGroup
	for g := range n {
		wg.Go(func() { took[g], errs[g] = b.cycles(ctx, p, g, n, cycles/n) })
	}
	wg.Wait()
	elapsed := time.Since(begun)
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	after, err := b.calls(ctx, p.commands)
	if err != nil {
		return err
	}
	all := slices.Sorted(slices.Values(slices.Concat(took...)))
	f.Rates = append(f.Rates, float64(len(all))/elapsed.Seconds())
	f.P50, f.P99 = append(f.P50, Percentile(all, 50)), append(f.P99, Percentile(all, 99))
	f.Commands = append(f.Commands, float64(after-before)/float64(len(all)))
	return nil
}

// cycles is what one of n goroutines does: cycles with keys that are its own.
func (b *mutexBench) cycles(ctx context.Context, p mutexPeer, g, n, cycles int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, cycles)
	for i := range cycles {
		key := b.keys[(i*n+g)%len(b.keys)]
		begun := time.Now()
		if err := p.cycle(ctx, key); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begun))
	}
	return took, nil
}

// calls is how often the server has been sent these commands.
func (b *mutexBench) calls(ctx context.Context, names []string) (int64, error) {
	info, err := b.server.rdb.Info(ctx, "commandstats").Result()
	if err != nil {
		return 0, err
	}
	return ParseCalls(info, names), nil
}

// ParseCalls reads how often these commands were called from an INFO commandstats.
func ParseCalls(info string, names []string) int64 {
	var calls int64
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if cmd, ok := strings.CutPrefix(name, "cmdstat_"); ok && slices.Contains(names, cmd) {
			text, _, _ := strings.Cut(strings.TrimPrefix(value, "calls="), ",")
			n, _ := strconv.ParseInt(text, 10, 64)
			calls += n
		}
	}
	return calls
}

// mutexRows measures and writes the rows of the section.
func mutexRows(ctx context.Context, server *Server, rounds, cycles int, log io.Writer) ([]Row, error) {
	goroutines := []int{1, 16}
	figures, names, err := measureMutexes(ctx, server, goroutines, rounds, cycles)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, n := range goroutines {
		for _, name := range names {
			f := figures[name][n]
			fmt.Fprintf(log, "  %-17s %2d goroutines: %6.0f cycles/s, p50 %s, p99 %s, %.2f commands a cycle\n", name, n,
				Median(f.Rates), middle(f.P50).Round(time.Microsecond), middle(f.P99).Round(time.Microsecond), Median(f.Commands))
		}
		rows = append(rows, mutexRow(figures, names, n), tailRow(figures, names, n))
	}
	return append(rows, commandsRow(figures, names)), nil
}

// rivals are the peers that the goal is about.
var rivals = []string{"redsync", "redislock"}

// mutexRow compares our rate with that of the faster rival, round by round.
func mutexRow(figures map[string]map[int]*MutexFigures, names []string, n int) Row {
	ours := figures["solocron"][n].Rates
	ratios := make([]float64, len(ours))
	for i := range ours {
		best := 0.0
		for _, rival := range rivals {
			best = max(best, figures[rival][n].Rates[i])
		}
		ratios[i] = ours[i] / best
	}
	row := Row{
		Name:  fmt.Sprintf("locks, %d goroutines: rate against the faster of redsync and redislock", n),
		Value: Median(ratios), Worst: slices.Min(ratios), Unit: "x", Goal: atLeast(1),
		Comment: fmt.Sprintf("%.0f obtain and release a second, medians of %d rounds", Median(ours), len(ours)),
	}
	for _, name := range names[1:] {
		theirs := Median(figures[name][n].Rates)
		row.Ratios = append(row.Ratios, Ratio{Peer: name, Value: theirs, Ratio: Median(ours) / theirs})
	}
	return row
}

func tailRow(figures map[string]map[int]*MutexFigures, names []string, n int) Row {
	f := figures["solocron"][n]
	row := Row{
		Name:  fmt.Sprintf("locks, %d goroutines: p99 of obtain and release", n),
		Value: micros(middle(f.P99)), Worst: micros(slices.Max(f.P99)), Unit: "us",
		Comment: fmt.Sprintf("p50 %s us", short(micros(middle(f.P50)))),
	}
	for _, name := range names[1:] {
		theirs := micros(middle(figures[name][n].P99))
		row.Ratios = append(row.Ratios, Ratio{Peer: name, Value: theirs, Ratio: row.Value / theirs})
	}
	return row
}

func commandsRow(figures map[string]map[int]*MutexFigures, names []string) Row {
	f := figures["solocron"][1]
	row := Row{
		Name:  "locks: Redis commands to obtain and release",
		Value: Median(f.Commands), Worst: slices.Max(f.Commands), Unit: "commands", Goal: atMost(2), Must: true,
	}
	for _, name := range names[1:] {
		theirs := Median(figures[name][1].Commands)
		row.Ratios = append(row.Ratios, Ratio{Peer: name, Value: theirs, Ratio: row.Value / theirs})
	}
	return row
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func middle(values []time.Duration) time.Duration {
	return Percentile(slices.Sorted(slices.Values(values)), 50)
}
