package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// printTable writes rows for people.
func printTable(w io.Writer, rows []Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tvalue\tunit\tgoal\tverdict\tworst round\tratio to peers measured in the same run")
	for _, r := range rows {
		goal := "-"
		if r.Goal != nil {
			goal = r.Goal.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, short(r.Value), r.Unit, goal, r.Judge(), short(r.Worst), r.remarks())
	}
	t.Flush()
}

func (r Row) remarks() string {
	var parts []string
	for _, q := range r.Ratios {
		parts = append(parts, fmt.Sprintf("%sx %s (%s)", short(q.Ratio), q.Peer, short(q.Value)))
	}
	if r.Comment != "" {
		parts = append(parts, r.Comment)
	}
	return strings.Join(parts, ", ")
}

// machine is what the figures belong to.
type machine struct {
	Go    string    `json:"go"`
	OS    string    `json:"os"`
	CPUs  int       `json:"cpus"`
	When  time.Time `json:"when"`
	Short bool      `json:"short"`
}

// saveJSON writes rows to a file in dir, for machines, and returns its path.
func saveJSON(dir string, rows []Row, isShort bool) (string, error) {
	type judged struct {
		Row
		Verdict Judgement `json:"verdict"`
	}
	out := struct {
		Machine machine  `json:"machine"`
		Rows    []judged `json:"rows"`
	}{Machine: machine{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, runtime.NumCPU(), time.Now().UTC(), isShort}}
	for _, r := range rows {
		out.Rows = append(out.Rows, judged{r, r.Judge()})
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "bench-"+out.Machine.When.Format("20060102T150405Z")+".json")
	return path, os.WriteFile(path, append(data, '\n'), 0o644)
}
