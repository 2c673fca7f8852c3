package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	if plan, ok := childPlan(); ok {
		return runChild(plan, os.Stdin, os.Stdout)
	}
	isShort := flag.Bool("short", false, "under a minute: only promises about correctness can fail it")
	only := flag.String("only", "", "sections to run, with commas: next,claim,mutex,small,large,journal,load,engine")
	out := flag.String("out", "out", "directory for the figures as JSON")
	profiles := flag.String("profiles", "", "directory for CPU profiles of the replicas; the figures suffer a little")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	rows, err := measureAll(ctx, *only, *isShort, *profiles)
	if err != nil {
		return err
	}
	fmt.Println()
	printTable(os.Stdout, rows)
	path, err := saveJSON(*out, rows, *isShort)
	if err != nil {
		return err
	}
	fmt.Println("\nas JSON:", path)
	return verdict(rows, *isShort)
}

func measureAll(ctx context.Context, only string, isShort bool, profiles string) ([]Row, error) {
	server, err := StartServer(ctx)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	var rows []Row
	for _, s := range sections(server, isShort, profiles, os.Stderr) {
		if only != "" && !slices.Contains(strings.Split(only, ","), s.name) {
			continue
		}
		begun := time.Now()
		fmt.Fprintf(os.Stderr, "%s:\n", s.name)
		more, err := s.rows(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(os.Stderr, "  took %.0f s\n", time.Since(begun).Seconds())
		rows = append(rows, more...)
	}
	return rows, nil
}

// verdict is the error of a run whose goals were missed. In a short run too
// little is measured for the figures to count; what must hold, counts always.
func verdict(rows []Row, isShort bool) error {
	var missed []string
	for _, r := range rows {
		if r.Judge() == Fail && (r.Must || !isShort) {
			missed = append(missed, r.Name)
		}
	}
	if len(missed) > 0 {
		return fmt.Errorf("goals missed: %s", strings.Join(missed, "; "))
	}
	return nil
}
