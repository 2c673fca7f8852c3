package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// planVar holds the Plan of a replica: its presence makes this process one.
const planVar = "SOLOCRON_BENCH_PLAN"

// Report is what a replica says at its end.
type Report struct {
	Shots  []Shot
	CPU    time.Duration // used inside the window
	RSS    int64         // bytes, at its highest
	Loaded time.Duration // to add all jobs
	Heap   int64         // bytes that stayed alive after adding them
	Err    string
}

// system starts a scheduler of one make with the jobs of p, each of which
// calls rec.Record first. Loaded is called when all jobs are added, before the
// scheduler starts. Stop ends it.
type system func(ctx context.Context, p Plan, rec *Recorder, loaded func()) (stop func() error, err error)

// systems lists what can be measured, by name.
var systems = map[string]system{
	"setnx":    startSetNX,
	"gocron":   startGocron,
	"robfig":   startRobfig,
	"solocron": startSolocron,
	"engine":   startEngine,
	"yaml":     startFromYAML,
}

// runChild is the main of a replica: it starts its system, says "ready", reads
// the window from its input, waits for its end and prints a Report.
func runChild(planJSON string, in io.Reader, out io.Writer) error {
	var p Plan
	if err := json.Unmarshal([]byte(planJSON), &p); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	start, ok := systems[p.System]
	if !ok {
		return fmt.Errorf("no system %q", p.System)
	}
	rec := NewRecorder(p.Jobs * 64)
	rep := Report{}
	before := liveHeap()
	given := p
	if p.System == "yaml" {
		given.Input = writeYAML(p.Jobs) // to write it is not what is measured
	}
	begun := time.Now()
	stop, err := start(context.Background(), given, rec, func() {
		rep.Loaded = time.Since(begun)
		rep.Heap = liveHeap() - before
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "ready")
	if err := measure(in, p.Profile, rec, &rep); err != nil {
		return err
	}
	if err := stop(); err != nil {
		rep.Err = err.Error()
	}
	return json.NewEncoder(out).Encode(rep)
}

// measure waits for the window and fills rep with what happened inside.
func measure(in io.Reader, profile string, rec *Recorder, rep *Report) error {
	line, err := bufio.NewReader(in).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("window: %w", err)
	}
	var w Window
	if err := json.Unmarshal(line, &w); err != nil {
		return fmt.Errorf("window: %w", err)
	}
	time.Sleep(time.Until(w.From) - 100*time.Millisecond)
	before, err := cpuTime()
	if err != nil {
		return err
	}
	stopProfile, err := startProfile(profile)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(w.Until) - 100*time.Millisecond)
	stopProfile()
	after, err := cpuTime()
	if err != nil {
		return err
	}
	rep.CPU = after - before
	if rep.RSS, err = peakRSS(); err != nil {
		return err
	}
	rep.Shots, err = rec.Within(w)
	return err
}

func childPlan() (string, bool) { return os.LookupEnv(planVar) }
