package jobs_test

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/sqlite"
)

// decodeDSN fills a report or sync as YAML would, with one DSN.
func decodeDSN(dsn string) func(any) error {
	return func(into any) error {
		switch s := into.(type) {
		case *jobs.Report:
			s.DSN.Literal, s.Query, s.Output = dsn, "SELECT 1", "x"
		case *jobs.Sync:
			s.Source.DSN.Literal, s.Target.DSN.Literal = dsn, dsn
			s.Source.Table, s.Target.Table, s.Key, s.Watermark = "a", "b", []string{"id"}, "at"
		}
		return nil
	}
}

func TestKindsUseTheDatabasesTheyAreGivenAndNoOthers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"report", "sync"} {
		for _, c := range []struct {
			databases []jobs.Database
			dsn, want string
		}{
			{nil, "sqlite:x", "no database can be opened: this program registers none"},
			{nil, "", "no database can be opened: this program registers none"},
			{[]jobs.Database{sqlite.Database()}, "sqlite:x", ""},
			{[]jobs.Database{sqlite.Database()}, "postgres://h/d", "dsn: is none of sqlite:PATH or file:PATH"},
			{databases(), "postgres://h/d", ""},
			{databases(), "redis://h", "dsn: is none of sqlite:PATH, file:PATH or postgres://user@host/database"},
			{databases(), "", "dsn: is missing: sqlite:PATH, file:PATH or postgres://user@host/database"},
		} {
			_, err := kind(t, name, nil, c.databases...).New(decodeDSN(c.dsn))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s with %d databases, %q: got %v, want %q", name, len(c.databases), c.dsn, err, c.want)
			}
		}
	}
}

func TestSecretDSNIsRefusedWithoutADatabase(t *testing.T) {
	t.Parallel()
	r := report("x", "SELECT 1", "x")
	r.DSN, r.Databases = jobs.Secret{Env: "REPORT_DSN"}, nil
	if fault, ok := errors.AsType[*jobs.FieldError](r.Validate()); !ok || fault.Field != "dsn" {
		t.Errorf("got %v, want the dsn blamed", r.Validate())
	}
}

func TestReportAsksItsDatabaseToReadAndSyncToWriteTheTargetOnly(t *testing.T) {
	t.Parallel()
	asked := map[string]jobs.Access{}
	spy := sqlite.Database()
	spy.Open = func(dsn string, may jobs.Access) (*sql.DB, error) {
		asked[dsn] = may
		return sqlite.Database().Open(dsn, may)
	}
	source, target := "sqlite:"+sqliteFile(t, ordersTable), "sqlite:"+sqliteFile(t, ordersTable)
	sync := ordersSync(source, target)
	sync.Databases = []jobs.Database{spy}
	if err := sync.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	if asked[source] != jobs.ReadOnly || asked[target] != jobs.ReadWrite || len(asked) != 2 {
		t.Errorf("sync: got %v, want the source read only and the target to be written", asked)
	}
	r := report("", "SELECT id FROM orders", t.TempDir()+"/r.csv")
	r.DSN.Literal, r.Databases = target, []jobs.Database{spy}
	if err := r.Run(t.Context(), testRun()); err != nil || asked[target] != jobs.ReadOnly {
		t.Errorf("report: got access %v, %v; want read only", asked[target], err)
	}
}
