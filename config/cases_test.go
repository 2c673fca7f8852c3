package config_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/postgres"
	"github.com/solocron/solocron/jobs/sqlite"
)

// sharedCase is one entry of testdata/cases/index.json: a file made after a
// public bug report, and the right answer to it.
type sharedCase struct {
	Expect string // accept, reject or either
	Field  string // that a fault must name
	File   string
	Line   int // that a fault must be at
	Must   string
}

func kinds() []jobs.Kind {
	return jobs.Kinds(map[string]jobs.Func{"demo.seed": noop, "demo.noop": noop}, sqlite.Database(), postgres.Database())
}

// patience is how long an answer may take: the cases ask for one second, the
// rest is for the race detector on a busy machine.
const patience = 10 * time.Second

func TestSharedCasesGetTheRightAnswer(t *testing.T) {
	t.Parallel()
	var cases []sharedCase
	index, err := os.ReadFile("testdata/cases/index.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(index, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 60 {
		t.Fatalf("got %d cases, want them all", len(cases))
	}
	for _, c := range cases {
		t.Run(strings.TrimSuffix(c.File, ".yaml"), func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, err := config.Load(filepath.Join("testdata/cases", c.File), config.Overrides{}, kinds())
			if took := time.Since(start); took > patience {
				t.Errorf("took %s, want less than %s", took, patience)
			}
			if err != nil {
				t.Log(err)
			}
			judge(t, c, err)
		})
	}
}

// judge compares the answer to a case with what it must be.
func judge(t *testing.T, c sharedCase, err error) {
	t.Helper()
	if c.Expect == "accept" && err != nil {
		t.Fatalf("refused, want accepted (%s)", c.Must)
	}
	if c.Expect == "reject" && err == nil {
		t.Fatalf("accepted, want refused (%s)", c.Must)
	}
	if err == nil {
		return
	}
	faults, ok := errors.AsType[config.Faults](err)
	if !ok {
		t.Fatalf("got a %T, want config.Faults", err)
	}
	for _, f := range faults {
		named := strings.HasPrefix(c.Field, "(") || strings.Contains(strings.ToLower(f.Error()), strings.ToLower(c.Field))
		if named && (c.Line == 0 || f.Line == c.Line) && strings.HasSuffix(f.File, c.File) {
			return
		}
	}
	t.Errorf("no fault names %q in line %d (%s)", c.Field, c.Line, c.Must)
}
