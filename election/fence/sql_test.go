package fence_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite"

	"github.com/solocron/solocron/election/fence"
	"github.com/solocron/solocron/internal/pgtest"
)

// databases opens one of each dialect, with a table for effects.
func databases(t *testing.T) map[fence.Dialect]*sql.DB {
	t.Helper()
	lite, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "fence.db")+"?_pragma=busy_timeout(10000)&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lite.Close() })
	server := pgtest.Start(t)
	dbs := map[fence.Dialect]*sql.DB{fence.SQLite: lite, fence.Postgres: server.Open(t, server.NewDatabase(t))}
	for _, db := range dbs {
		for range 2 { // the second time it is there
			if _, err := db.ExecContext(t.Context(), fence.Table); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.ExecContext(t.Context(), "CREATE TABLE effects (what TEXT)"); err != nil {
			t.Fatal(err)
		}
	}
	return dbs
}

// effect does something under a token, in one transaction.
func effect(t *testing.T, db *sql.DB, d fence.Dialect, token int64, what string) error {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := fence.Advance(t.Context(), tx, d, "order/4711", token); err != nil {
		return err
	}
	if _, err := tx.ExecContext(t.Context(), "INSERT INTO effects VALUES ('"+what+"')"); err != nil {
		t.Fatal(err)
	}
	return tx.Commit()
}

func TestASQLReceiverRefusesTheLateHolder(t *testing.T) {
	t.Parallel()
	for d, db := range databases(t) {
		for _, step := range []struct {
			token int64
			stale bool
		}{{10, false}, {10, false}, {12, false}, {11, true}, {10, true}, {12, false}, {1 << 52, false}} {
			if err := effect(t, db, d, step.token, "x"); errors.Is(err, fence.ErrStale) != step.stale || !step.stale && err != nil {
				t.Errorf("dialect %d, token %d: got %v, want stale %v", d, step.token, err, step.stale)
			}
		}
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM effects").Scan(&n); err != nil || n != 5 {
			t.Errorf("dialect %d: %d effects (%v), want 5", d, n, err)
		}
	}
}

// TestAHolderWaitsForTheTransactionOfAnother lets the late one come while the
// newer has not committed yet: it must not read what was there before.
func TestAHolderWaitsForTheTransactionOfAnother(t *testing.T) {
	t.Parallel()
	for d, db := range databases(t) {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := fence.Advance(t.Context(), tx, d, "order/4711", 20); err != nil {
			t.Fatal(err)
		}
		late := make(chan error, 1)
		go func() { late <- effect(t, db, d, 19, "late") }()
		select {
		case err := <-late:
			t.Errorf("dialect %d: the late holder got %v before the other had committed", d, err)
			late <- err
		case <-time.After(100 * time.Millisecond):
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-late; !errors.Is(err, fence.ErrStale) {
			t.Errorf("dialect %d: the late holder got %v, want ErrStale", d, err)
		}
	}
}

func TestAdvanceRefusesWhatIsNoTokenOrResource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		resource string
		token    int64
	}{{"", 1}, {strings.Repeat("x", 513), 1}, {"x", 0}, {"x", -1}, {"x", 1 << 53}} {
		if err := fence.Advance(t.Context(), nil, fence.SQLite, c.resource, c.token); err == nil {
			t.Errorf("a resource of %d bytes with token %d was accepted", len(c.resource), c.token)
		}
	}
}
