package jobs_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

func writeAged(t *testing.T, path string, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(path, []byte("half a report"), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// unfinishedName is what a report's file is called in dir while it is written.
func unfinishedName(t *testing.T, dir string, run jobs.Run) string {
	t.Helper()
	var names []string
	run.Link = jobs.Hooks{OnProgress: func(string) { names = append(names, fileNames(t, dir)...) }}
	long := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT i FROM n"
	if err := report(salesFile(t), long, dir+"/first.csv").Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 || !strings.HasPrefix(names[0], ".") {
		t.Fatalf("got %v, want a hidden file in mid-run", names)
	}
	return names[0]
}

func TestReportRemovesWhatAKilledRunOfItsJobLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := unfinishedName(t, dir, testRun())
	keep := []string{
		"first.csv",
		".solocron-nightly.tmp-7",       // young: somebody may be writing it
		".solocron-nightly.tmp-x",       // not ours
		".solocron-nightly.tmp-1.tmp-2", // of the job nightly.tmp-1
		".solocron-weekly.tmp-7",        // of another job
	}
	writeAged(t, filepath.Join(dir, left), 25*time.Hour)
	for _, name := range keep[1:] {
		writeAged(t, filepath.Join(dir, name), 25*time.Hour)
	}
	writeAged(t, filepath.Join(dir, keep[1]), 23*time.Hour)
	folder := filepath.Join(dir, ".solocron-nightly.tmp-8")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.Chtimes(folder, time.Unix(0, 0), time.Unix(0, 0))); err != nil {
		t.Fatal(err)
	}
	if err := report(salesFile(t), "SELECT n FROM sales", dir+"/second.csv").Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	want := append(keep, "second.csv", ".solocron-nightly.tmp-8")
	slices.Sort(want)
	if got := fileNames(t, dir); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestReportSweepsADirectoryOfThousandsOfFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 2500 {
		writeAged(t, filepath.Join(dir, fmt.Sprintf(".solocron-nightly.tmp-%d", i)), 25*time.Hour)
	}
	if err := report(salesFile(t), "SELECT n FROM sales", dir+"/r.csv").Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	if got := fileNames(t, dir); len(got) != 1 {
		t.Errorf("got %d files, want the report only", len(got))
	}
}

func TestReportSaysWhyItCannotSweep(t *testing.T) {
	t.Parallel()
	blocker := filepath.Join(t.TempDir(), "not-a-directory")
	writeAged(t, blocker, 0)
	var said string
	run := testRun()
	run.Link = jobs.Hooks{OnOutput: func(stream, line string) { said += stream + ": " + line }}
	err := report(salesFile(t), "SELECT n FROM sales", blocker+"/r.csv").Run(t.Context(), run)
	if err == nil || !strings.HasPrefix(said, "stderr: what killed runs left could not be removed: ") {
		t.Errorf("got %v and %q, want an error and a line about the directory", err, said)
	}
}
