package config_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solocron/solocron/config"
)

// decided is what we answer where a shared case leaves it open, with the reason.
// Of the cases that are not open there is no deviation.
func decided() map[string]struct {
	accepted bool
	why      string
} {
	return map[string]struct {
		accepted bool
		why      string
	}{
		"19-name-case.yaml":        {false, "names have no capitals: they are part of keys, addresses and files"},
		"26-booleans-as-text.yaml": {true, "a text is what is written, whatever YAML makes of it elsewhere"},
		"28a-timeout.yaml":         {false, "90 of what? The message says 90s"},
		"28b-timeout.yaml":         {true, "a day is 24 hours"},
		"28e-timeout.yaml":         {true, "0 is no limit, and says so"},
		"29-empty.yaml":            {false, "a file without jobs is a file half written"},
		"30-comments-only.yaml":    {false, "the same"},
		"31-jobs-null.yaml":        {false, "the same"},
		"36-unicode-twins.yaml":    {false, "names are ASCII: twins cannot be told apart by people"},
		"51-schedule-list.yaml":    {true, "a list of schedules is their union"},
		"55-windows-path.yaml":     {false, "a control character in a command is an escape that nobody meant"},
	}
}

func sharedCases(t *testing.T) []sharedCase {
	t.Helper()
	var cases []sharedCase
	index, err := os.ReadFile("testdata/cases/index.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(index, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestEverySharedFileIsACaseAndEveryOpenOneIsDecided(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/cases/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	open := 0
	for _, c := range sharedCases(t) {
		path := filepath.Join("testdata/cases", c.File)
		i := slices.Index(files, path)
		if i < 0 {
			t.Errorf("the index names %s, which is not there", c.File)
			continue
		}
		files = slices.Delete(files, i, i+1)
		answer, ok := decided()[c.File]
		if ok != (c.Expect == "either") {
			t.Errorf("%s is to be %s: it is decided %t", c.File, c.Expect, ok)
		}
		if !ok {
			continue
		}
		open++
		if _, err := config.Load(path, config.Overrides{}, kinds()); (err == nil) != answer.accepted {
			t.Errorf("%s: got %v, want accepted %t: %s", c.File, err, answer.accepted, answer.why)
		}
	}
	if len(files) > 0 || open != len(decided()) {
		t.Errorf("the index lacks %q; %d of %d decisions are about a case", files, open, len(decided()))
	}
}

// TestEveryFaultOfACaseIsFoundInOnePass compares all that is said about all cases with
// one golden file, which the tests of the command line and of the API may use too.
func TestEveryFaultOfACaseIsFoundInOnePass(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, c := range sharedCases(t) {
		path := filepath.Join("testdata/cases", c.File)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = config.Parse(c.File, data, kinds())
		switch faults, ok := errors.AsType[config.Faults](err); {
		case err == nil:
			b.WriteString(c.File + ": good\n")
		case ok:
			b.WriteString(faults.Error() + "\n")
		default:
			t.Errorf("%s: got %v, want faults", c.File, err)
		}
	}
	const golden = "testdata/cases.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
