package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/sqlite"
)

func open(t *testing.T, dsn string, may jobs.Access) *sql.DB {
	t.Helper()
	db, err := sqlite.Database().Open(dsn, may)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// made is the path of a database with a table t of no rows.
func made(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "of 100%#1?.db")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, "sqlite:"+path, jobs.ReadWrite).ExecContext(t.Context(), "CREATE TABLE t (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhoeverOnlyReadsCannotWrite(t *testing.T) {
	t.Parallel()
	path := made(t)
	db := open(t, "sqlite:"+path, jobs.ReadOnly)
	if _, err := db.ExecContext(t.Context(), "INSERT INTO t VALUES (1)"); err == nil {
		t.Error("a reader has written")
	}
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM t").Scan(&n); err != nil || n != 0 {
		t.Errorf("got %d rows, %v; want 0", n, err)
	}
}

func TestTransactionThatMayWriteHasTheLockFromItsBeginning(t *testing.T) {
	t.Parallel()
	path := made(t)
	tx, err := open(t, "sqlite:"+path, jobs.ReadWrite).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	uri := "file:" + filepath.Dir(path) + "/of%20100%25%231%3f.db?_busy_timeout=1"
	if _, err := open(t, uri, jobs.ReadWrite).ExecContext(t.Context(), "INSERT INTO t VALUES (1)"); err == nil || !strings.Contains(err.Error(), "locked") {
		t.Errorf("got %v, want the file locked", err)
	}
}

func TestParametersOfTheDSNTakePrecedence(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.db")
	if err := open(t, "file:"+path, jobs.ReadWrite).PingContext(t.Context()); err == nil {
		t.Error("a file was made though nobody asked for it")
	}
	if err := open(t, "file:"+path+"?mode=rwc", jobs.ReadWrite).PingContext(t.Context()); err != nil {
		t.Errorf("mode=rwc: %v", err)
	}
}

func TestDSNWithoutAFileIsRefused(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{"sqlite:", "sqlite::memory:", "sqlite:" + t.TempDir() + "/absent"} {
		if db, err := sqlite.Database().Open(dsn, jobs.ReadOnly); err == nil {
			db.Close()
			t.Errorf("%s is opened", dsn)
		}
	}
}
