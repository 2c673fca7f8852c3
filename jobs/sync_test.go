package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

const ordersTable = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, amount REAL, raw BLOB, updated_at TEXT)"

func ordersSync(source, target string) *jobs.Sync {
	return &jobs.Sync{
		Source: jobs.Endpoint{DSN: jobs.Secret{Literal: source}}, Target: jobs.Endpoint{DSN: jobs.Secret{Literal: target}},
		Table: "orders", Key: []string{"id"}, Watermark: "updated_at", Batch: 50, Databases: databases(),
	}
}

// fillOrders is a statement that makes n orders, seven of which share each watermark.
func fillOrders(n int) string {
	return fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT %d)
		INSERT INTO orders SELECT i, 'customer ' || i, i / 8.0, randomblob(8),
		strftime('%%Y-%%m-%%d %%H:%%M:%%S', 1790000000 + i / 7, 'unixepoch') FROM n`, n)
}

// dump reads a table as text, in order.
func dump(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, _ := rows.Columns()
	var all []string
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%#v", values))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func assertSameOrders(t *testing.T, source, target string) {
	t.Helper()
	const query = "SELECT id, typeof(id), customer, typeof(customer), amount, typeof(amount), hex(raw), typeof(raw), updated_at FROM orders ORDER BY id"
	got, want := dump(t, openSQLite(t, target), query), dump(t, openSQLite(t, source), query)
	if !slices.Equal(got, want) {
		t.Errorf("the tables differ: got %d rows, want %d", len(got), len(want))
	}
}

func exec1(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

func TestSyncCopiesAllThenOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	source, target := sqliteFile(t, ordersTable, fillOrders(1000)), sqliteFile(t, ordersTable)
	s := ordersSync("sqlite:"+source, "sqlite:"+target)
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	var progress []string
	run := testRun()
	run.Link = jobs.Hooks{OnProgress: func(text string) { progress = append(progress, text) }}
	if err := s.Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	assertSameOrders(t, source, target)
	if len(progress) != 20 || !strings.HasPrefix(progress[19], "1000 rows, up to updated_at 2026-") {
		t.Errorf("got progress %q, want one for each of 20 batches", progress)
	}

	db := openSQLite(t, source)
	exec1(t, db, "UPDATE orders SET customer = 'changed', amount = NULL, updated_at = '2027-01-01 00:00:00' WHERE id IN (3, 500)")
	exec1(t, db, "INSERT INTO orders VALUES (2000, NULL, 1, x'', '2027-01-01 00:00:00')")
	exec1(t, db, "INSERT INTO orders VALUES (2001, 'text with \" and ''', 9007199254740993, 'text in a blob column', '2027-01-01 00:00:00')")
	progress = nil
	if err := s.Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	assertSameOrders(t, source, target)
	if len(progress) != 1 || !strings.HasPrefix(progress[0], "4 rows") {
		t.Errorf("got progress %q, want 4 rows", progress)
	}
	progress = nil
	if err := s.Run(t.Context(), run); err != nil || len(progress) != 1 || !strings.HasPrefix(progress[0], "0 rows") {
		t.Errorf("nothing new: got %q, %v", progress, err)
	}
}

func TestSyncKilledAtAnyMomentGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	source, target := sqliteFile(t, ordersTable, fillOrders(5000)), sqliteFile(t, ordersTable)
	killed := killAndResume(t, "sqlite:"+source, "sqlite:"+target, func() int {
		var n int
		_ = openSQLite(t, target).QueryRowContext(t.Context(), "SELECT copied FROM solocron_sync").Scan(&n)
		return n
	})
	assertSameOrders(t, source, target)
	if got := dump(t, openSQLite(t, target), "SELECT copied FROM solocron_sync"); got[0] != "[]interface {}{5000}" {
		t.Errorf("copied %v, want 5000: %d kills must neither lose nor repeat a row", got, killed)
	}
}

// killAndResume runs the sync of ordersSync in child processes, killing three
// of them at a moment that comes a bit later each time, and lets the last one
// finish. It demands that the copying had begun and not ended at a kill.
func killAndResume(t *testing.T, source, target string, copied func() int) (killed int) {
	t.Helper()
	inMidway := false
	for wait := range 3 {
		child, ended := startSyncChild(t, source, target)
		before := copied()
		waitFor(t, "progress of the sync", func() bool { return copied() > before || isClosed(ended) })
		time.Sleep(time.Duration(wait) * 3 * time.Millisecond) // any moment will do
		_ = child.Process.Kill()
		<-ended
		killed++
		if n := copied(); n > 0 && n < 5000 {
			inMidway = true
		}
	}
	if !inMidway {
		t.Fatal("no kill fell into the copying")
	}
	child, ended := startSyncChild(t, source, target)
	<-ended
	if !child.ProcessState.Success() {
		t.Fatal("the last child failed")
	}
	return killed
}

func startSyncChild(t *testing.T, source, target string) (*exec.Cmd, <-chan struct{}) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), "JOBS_TEST_SYNC_SOURCE="+source, "JOBS_TEST_SYNC_TARGET="+target)
	child.Stderr = os.Stderr
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = child.Wait() // its state is looked at
		close(ended)
	}()
	return child, ended
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestSyncWithAStaleTokenIsRefusedByTheTarget(t *testing.T) {
	t.Parallel()
	source, target := sqliteFile(t, ordersTable, fillOrders(300)), sqliteFile(t, ordersTable)
	staleTokenIsRefused(t, ordersSync("sqlite:"+source, "sqlite:"+target), func() int {
		return len(dump(t, openSQLite(t, target), "SELECT id FROM orders"))
	})
}

// staleTokenIsRefused lets a run with token 42 finish while one with token 41
// is between two batches, and demands that the latter writes no more.
func staleTokenIsRefused(t *testing.T, s *jobs.Sync, count func() int) {
	t.Helper()
	old, young := testRun(), testRun()
	young.Token = 42
	var once sync.Once
	after := 0
	old.Link = jobs.Hooks{OnProgress: func(string) {
		once.Do(func() {
			if err := s.Run(t.Context(), young); err != nil {
				t.Errorf("the younger run: %v", err)
			}
			after = count()
		})
	}}
	err := s.Run(t.Context(), old)
	fenced, ok := errors.AsType[*jobs.FencedError](err)
	if !ok || !errors.Is(err, jobs.ErrFenced) || fenced.Token != 41 || fenced.Stored != 42 {
		t.Errorf("got %v, want fenced off with tokens 41 and 42", err)
	}
	if got := count(); got != after || after != 300 {
		t.Errorf("got %d rows after the refusal, %d before; want 300", got, after)
	}
	if err := s.Run(t.Context(), old); !errors.Is(err, jobs.ErrFenced) {
		t.Errorf("a new start with the old token: got %v", err)
	}
}

func TestOfTwoSyncsAtOnceTheOlderLoses(t *testing.T) {
	t.Parallel()
	source, target := sqliteFile(t, ordersTable, fillOrders(2000)), sqliteFile(t, ordersTable)
	olderLoses(t, ordersSync("sqlite:"+source, "sqlite:"+target))
	assertSameOrders(t, source, target)
}

// olderLoses starts a run with token 41, and one with token 42 when the first
// is at work; then both go on at the same time.
func olderLoses(t *testing.T, s *jobs.Sync) {
	t.Helper()
	old, young := testRun(), testRun()
	young.Token = 42
	begun, entered := make(chan struct{}), make(chan struct{})
	var once, once2 sync.Once
	old.Link = jobs.Hooks{OnProgress: func(string) {
		once.Do(func() { close(begun); <-entered })
	}}
	young.Link = jobs.Hooks{OnProgress: func(string) { once2.Do(func() { close(entered) }) }}
	var wg sync.WaitGroup
	var oldErr, youngErr error
	wg.Go(func() { oldErr = s.Run(t.Context(), old) })
	wg.Go(func() { <-begun; youngErr = s.Run(t.Context(), young); once2.Do(func() { close(entered) }) })
	wg.Wait()
	if !errors.Is(oldErr, jobs.ErrFenced) || youngErr != nil {
		t.Errorf("got old %v, young %v; want fenced and nil", oldErr, youngErr)
	}
}

func TestSyncBeginsAnewWhenTheJobIsAnotherOne(t *testing.T) {
	t.Parallel()
	source, target := sqliteFile(t, ordersTable, fillOrders(100)), sqliteFile(t, ordersTable)
	s := ordersSync("sqlite:"+source, "sqlite:"+target)
	if err := s.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	exec1(t, openSQLite(t, target), "DELETE FROM orders")
	s.Watermark = "id"
	if err := s.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	assertSameOrders(t, source, target)
}

func TestSyncOfSelectedColumnsAndACompositeKey(t *testing.T) {
	t.Parallel()
	source := sqliteFile(t, "CREATE TABLE a (k1 TEXT, k2 BLOB, w REAL, x TEXT, y TEXT)",
		"INSERT INTO a VALUES ('p', x'01', 1.5, 'x1', 'y1'), ('p', x'02', 1.5, 'x2', 'y2'), ('q', x'01', 1.5, 'x3', 'y3'), ('q', x'09', NULL, 'never', '')")
	target := sqliteFile(t, "CREATE TABLE b (k1 TEXT, k2 BLOB, w REAL, x TEXT, other TEXT DEFAULT 'mine', PRIMARY KEY (k1, k2))")
	s := &jobs.Sync{
		Source: jobs.Endpoint{DSN: jobs.Secret{Literal: "sqlite:" + source}, Table: "a"},
		Target: jobs.Endpoint{DSN: jobs.Secret{Literal: "file:" + target}, Table: "main.b"},
		Key:    []string{"k1", "k2"}, Watermark: "w", Columns: []string{"x", "k2", "k1", "w"}, Batch: 1, Databases: databases(),
	}
	if err := errors.Join(s.Validate(), s.Run(t.Context(), testRun())); err != nil {
		t.Fatal(err)
	}
	got := dump(t, openSQLite(t, target), "SELECT k1 || hex(k2) || w || x || other FROM b ORDER BY 1")
	want := []string{`[]interface {}{"p011.5x1mine"}`, `[]interface {}{"p021.5x2mine"}`, `[]interface {}{"q011.5x3mine"}`}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSyncSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	full, empty := sqliteFile(t, ordersTable), sqliteFile(t, "CREATE TABLE other (x TEXT)")
	narrow := sqliteFile(t, "CREATE TABLE orders (id INTEGER PRIMARY KEY, updated_at TEXT)")
	loose := sqliteFile(t, strings.Replace(ordersTable, " PRIMARY KEY", "", 1))
	filled := sqliteFile(t, ordersTable, fillOrders(1))
	for _, c := range []struct {
		source, target string
		change         func(*jobs.Sync)
		want           string
	}{
		{empty, full, nil, "source: table orders: "},
		{full, empty, nil, "target: table orders: "},
		{full, narrow, nil, "target: table orders has no column customer; it has id, updated_at"},
		{full, filled, func(s *jobs.Sync) { s.Watermark = "changed_at" }, "source: table orders has no column changed_at"},
		{filled, loose, nil, "unique index on id"},
		{filepath.Join(t.TempDir(), "absent"), full, nil, "source: dsn: "},
	} {
		s := ordersSync("sqlite:"+c.source, "sqlite:"+c.target)
		if c.change != nil {
			c.change(s)
		}
		if err := s.Run(t.Context(), testRun()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestSyncEndsWithItsContext(t *testing.T) {
	t.Parallel()
	source, target := sqliteFile(t, ordersTable, fillOrders(500)), sqliteFile(t, ordersTable)
	cause := errors.New("lease lost")
	ctx, cancel := context.WithCancelCause(t.Context())
	run := testRun()
	run.Link = jobs.Hooks{OnProgress: func(string) { cancel(cause) }}
	if err := ordersSync("sqlite:"+source, "sqlite:"+target).Run(ctx, run); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
	if n := len(dump(t, openSQLite(t, target), "SELECT id FROM orders")); n != 50 {
		t.Errorf("got %d rows, want the one batch of 50", n)
	}
}

func TestSyncSettingsAreChecked(t *testing.T) {
	t.Parallel()
	good := ordersSync("sqlite:a", "sqlite:b")
	for field, change := range map[string]func(*jobs.Sync){
		"source.dsn":   func(s *jobs.Sync) { s.Source.DSN = jobs.Secret{} },
		"target.dsn":   func(s *jobs.Sync) { s.Target.DSN.Literal = "redis://x" },
		"table":        func(s *jobs.Sync) { s.Table = "" },
		"table ":       func(s *jobs.Sync) { s.Table = `x"; drop table y` },
		"source.table": func(s *jobs.Sync) { s.Source.Table = "a.b.c" },
		"":             func(s *jobs.Sync) { s.Target.DSN.Literal = "sqlite:a" },
		"key":          func(s *jobs.Sync) { s.Key = nil },
		"key[1]":       func(s *jobs.Sync) { s.Key = []string{"id", "id"} },
		"watermark":    func(s *jobs.Sync) { s.Watermark = "" },
		"watermark ":   func(s *jobs.Sync) { s.Watermark = "a b" },
		"columns":      func(s *jobs.Sync) { s.Columns = []string{"id"} },
		"batch":        func(s *jobs.Sync) { s.Batch = 10_001 },
	} {
		s := *good
		change(&s)
		fault, ok := errors.AsType[*jobs.FieldError](s.Validate())
		if !ok || fault.Field != strings.TrimSpace(field) {
			t.Errorf("%q: got %v", field, s.Validate())
		}
	}
}

func TestPositionIsStoredExactly(t *testing.T) {
	t.Parallel()
	want := []any{
		int64(9007199254740993), 0.1, "text \x00 with \" and ü", "raw \xff text",
		[]byte{0, 255},
		true,
		time.Date(2026, 11, 29, 1, 30, 0, 123456000, time.UTC),
	}
	got, err := jobs.StorePosition(want)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v\nwant %#v", got, err, want)
	}
	if _, err := jobs.StorePosition([]any{nil}); err == nil {
		t.Error("NULL is accepted in a position")
	}
}
