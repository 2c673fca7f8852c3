package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// replica is a process of our own that runs one Plan.
type replica struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startReplica starts the process and waits until its scheduler runs.
func startReplica(ctx context.Context, p Plan) (*replica, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), planVar+"="+string(plan))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &replica{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	line, err := r.out.ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		return nil, errors.Join(fmt.Errorf("%s: replica %d said %q: %w", p.System, p.Replica, line, err), r.kill())
	}
	return r, nil
}

func (r *replica) begin(w Window) error {
	line, err := json.Marshal(w)
	if err != nil {
		return err
	}
	_, err = r.in.Write(append(line, '\n'))
	return err
}

func (r *replica) finish() (Report, error) {
	var rep Report
	if err := json.NewDecoder(r.out).Decode(&rep); err != nil {
		return rep, errors.Join(fmt.Errorf("report of a replica: %w", err), r.kill())
	}
	if err := r.cmd.Wait(); err != nil {
		return rep, fmt.Errorf("replica: %w", err)
	}
	if rep.Err != "" {
		return rep, fmt.Errorf("replica: %s", rep.Err)
	}
	return rep, nil
}

func (r *replica) kill() error {
	err := r.cmd.Process.Kill()
	_ = r.cmd.Wait() // "signal: killed" is what was asked for
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Outcome is what replicas of one system did in one window.
type Outcome struct {
	Tally
	Window  time.Duration
	Reports []Report // without shots
	Redis   Load     // inside the window
}

// Cell is one measurement: replicas of a system with jobs of a period, over ticks.
type Cell struct {
	System   string
	Replicas int
	Jobs     int
	Period   time.Duration
	Ticks    int
	Profiles string // directory for CPU profiles; "": none
}

// run starts the replicas of c, lets them run through a window and tallies.
// Server may be nil for systems that need none.
func (c Cell) run(ctx context.Context, server *Server) (Outcome, error) {
	empty, err := emptied(ctx, server)
	if err != nil {
		return Outcome{}, err
	}
	fleet, err := c.launch(ctx, server)
	defer func() {
		for _, r := range fleet {
			_ = r.kill() // whoever is left after an error
		}
	}()
	if err != nil {
		return Outcome{}, err
	}
	w := c.window(time.Now())
	for _, r := range fleet {
		if err := r.begin(w); err != nil {
			return Outcome{}, err
		}
	}
	out := Outcome{Window: w.Until.Sub(w.From)}
	if out.Redis, err = loadBetween(ctx, server, w, empty); err != nil {
		return Outcome{}, err
	}
	var shots []Shot
	for _, r := range fleet {
		rep, err := r.finish()
		if err != nil {
			return Outcome{}, fmt.Errorf("%s: %w", c.System, err)
		}
		shots = append(shots, rep.Shots...)
		rep.Shots = nil
		out.Reports = append(out.Reports, rep)
	}
	out.Tally = Count(shots, c.Jobs, c.Ticks)
	return out, nil
}

// emptied empties the server and returns the bytes that it uses even so.
func emptied(ctx context.Context, server *Server) (int64, error) {
	if server == nil {
		return 0, nil
	}
	if err := server.Flush(ctx); err != nil {
		return 0, err
	}
	l, err := server.Load(ctx)
	return l.Memory, err
}

// launch starts the replicas of c one after the other. With an error it returns
// those it had started.
func (c Cell) launch(ctx context.Context, server *Server) ([]*replica, error) {
	p := Plan{System: c.System, Prefix: "bench", Jobs: c.Jobs, Period: c.Period}
	if server != nil {
		p.Addr = server.Addr
	}
	var fleet []*replica
	for i := range c.Replicas {
		p.Replica = i
		if c.Profiles != "" {
			p.Profile = filepath.Join(c.Profiles, fmt.Sprintf("%s-%d-%d.pprof", c.System, c.Jobs, i))
		}
		r, err := startReplica(ctx, p)
		if err != nil {
			return fleet, err
		}
		fleet = append(fleet, r)
	}
	return fleet, nil
}

// window begins at a tick that is far enough ahead for the replicas to know
// each other, and ends before the tick after the last.
func (c Cell) window(now time.Time) Window {
	from := now.Add(2 * time.Second).Truncate(c.Period).Add(c.Period)
	return Window{From: from, Until: from.Add(time.Duration(c.Ticks) * c.Period)}
}

// loadBetween is what the server did inside the window, and what it holds at its
// end beyond what it held when it was empty.
func loadBetween(ctx context.Context, server *Server, w Window, empty int64) (Load, error) {
	if server == nil {
		return Load{}, nil
	}
	time.Sleep(time.Until(w.From) - 100*time.Millisecond)
	before, err := server.Load(ctx)
	if err != nil {
		return Load{}, err
	}
	time.Sleep(time.Until(w.Until) - 100*time.Millisecond)
	after, err := server.Load(ctx)
	if err != nil {
		return Load{}, err
	}
	return Load{Commands: after.Commands - before.Commands, CPU: after.CPU - before.CPU, Memory: after.Memory - empty}, nil
}
