package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// problem is one line of what is wrong with a file.
type problem struct {
	File, Path, Message string
	Line, Col           int
	Warning             bool
}

func (p problem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	if p.Warning {
		return fmt.Sprintf("warning %s:%d %s", p.File, p.Line, strings.TrimSpace(p.Path+" "+p.Message))
	}
	return fmt.Sprintf("%s:%d:%d %s", p.File, p.Line, p.Col, strings.TrimSpace(p.Path+" "+p.Message))
}

// TestTheCommandLineAndTheAPIReportTheSameProblems asks both about every case that
// was made from a public bug report.
func TestTheCommandLineAndTheAPIReportTheSameProblems(t *testing.T) {
	t.Parallel()
	s := serve(t, remoteJobs)
	s.ready(t)
	dir, err := filepath.Abs("../../config/testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(files) < 60 {
		t.Fatalf("got %d cases, %v; want them all", len(files), err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	said := scheduler(t, dir, append([]string{"config", "validate"}, files...)...)
	lines := strings.Split(strings.TrimSpace(said.stderr), "\n")
	rejected := 0
	for _, file := range files {
		var want []string
		for _, line := range lines {
			if strings.HasPrefix(strings.TrimPrefix(line, "warning "), file+":") {
				want = append(want, line)
			}
		}
		got := s.problems(t, dir, file)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the API says\n%s\nand the command line\n%s", file, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if len(want) > 0 {
			rejected++
		}
	}
	if rejected < 30 {
		t.Errorf("%d files have problems, want half of them at least", rejected)
	}
}

// problems are what the API says of a file.
func (s served) problems(t *testing.T, dir, file string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(s.url+"/api/v1/config/validate?name="+url.QueryEscape(file), "application/yaml", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var checked struct{ Problems []problem }
	if err := json.NewDecoder(res.Body).Decode(&checked); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", file, res.StatusCode, err)
	}
	for _, p := range checked.Problems {
		list = append(list, p.String())
	}
	return list
}
