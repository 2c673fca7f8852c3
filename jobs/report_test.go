package jobs_test

import (
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/solocron/solocron/jobs"
)

// sqliteFile makes a database and returns its path.
func sqliteFile(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.db")
	db := openSQLite(t, path)
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func openSQLite(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func salesFile(t *testing.T) string {
	return sqliteFile(t,
		"CREATE TABLE sales (region TEXT, amount REAL, n INTEGER, at DATETIME, note TEXT)",
		`INSERT INTO sales VALUES ('Nord', 1234567.5, 3, '2026-11-29 01:00:00', '<b>"a", b</b>'),
			('=1+1', -2, 4, NULL, NULL), ('Süd', 0.1, 5, '2026-11-28 23:00:00', 'yesterday')`)
}

func report(path, query, output string) *jobs.Report {
	return &jobs.Report{DSN: jobs.Secret{Literal: "sqlite:" + path}, Query: query, Output: output, Databases: databases()}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func fileNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestReportIsNamedFromItsTickAndHoldsTheRowsOfTheDay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := report(salesFile(t), "SELECT region, amount, n, at, note FROM sales WHERE date(at) = :day",
		dir+`/sub/{{.Tick.Format "2006-01-02"}}.csv`)
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	var last string
	run := testRun()
	run.Link = jobs.Hooks{OnProgress: func(text string) { last = text }}
	if err := r.Run(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	path := dir + "/sub/2026-11-29.csv"
	want := "region,amount,n,at,note\nNord,1234567.5,3,2026-11-29T01:00:00Z,\"<b>\"\"a\"\", b</b>\"\n"
	if got := mustRead(t, path); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("got mode %v, %v; want 0640", info.Mode(), err)
	}
	if !slices.Equal(fileNames(t, dir+"/sub"), []string{"2026-11-29.csv"}) || last != "1 rows in "+path {
		t.Errorf("got files %v, progress %q", fileNames(t, dir+"/sub"), last)
	}
}

func TestReportAsJSONKeepsOrderNumbersAndNulls(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.json")
	r := report(salesFile(t), "SELECT region AS z, amount AS a, note, n FROM sales ORDER BY n LIMIT 2", out)
	r.Format = "json"
	if err := r.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, out)
	want := "[\n" + `{"z":"Nord","a":1234567.5,"note":"\u003cb\u003e\"a\", b\u003c/b\u003e","n":3},` + "\n" +
		`{"z":"=1+1","a":-2,"note":null,"n":4}` + "\n]\n"
	if got != want || !json.Valid([]byte(got)) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	r.Query = "SELECT 1 AS a, 2 AS a"
	if err := r.Run(t.Context(), testRun()); err == nil || mustRead(t, out) != want {
		t.Errorf("two columns of one name: got %v, want an error and the old file", err)
	}
}

func TestReportAsHTMLEscapesWhatItShows(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.html")
	r := report(salesFile(t), "SELECT region, n AS \"<n>\", note FROM sales", out)
	r.Format, r.Title = "html", "Sales & more"
	if err := r.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, out)
	for _, want := range []string{
		"<!doctype html>", "<h1>Sales &amp; more</h1>", "2026-11-29T01:30:00Z", "&lt;n&gt;", "Rows: 3", "</html>",
		`<td class="n">3</td>`, "&lt;b&gt;&#34;a&#34;, b&lt;/b&gt;", "<td></td>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in:\n%s", want, got)
		}
	}
}

func TestReportGuardsSpreadsheetsIfAsked(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.csv")
	r := report(salesFile(t), "SELECT region, amount FROM sales WHERE amount < 0", out)
	r.CSVSafe = true
	if err := r.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	if got, want := mustRead(t, out), "region,amount\n'=1+1,-2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReportKeepsARowThatIsOneEmptyField(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.csv")
	if err := report(salesFile(t), "SELECT note FROM sales WHERE note IS NULL", out).Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(mustRead(t, out))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Errorf("got %q, %v; want a heading and one row", rows, err)
	}
}

func TestEmptyReportAndFailedQueryAreDifferentThings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := filepath.Join(dir, "r.csv")
	if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := report(salesFile(t), "SELECT region FROM sales WHERE n > 99", out)
	r.EmptyIs = "fail"
	if err := r.Run(t.Context(), testRun()); !errors.Is(err, jobs.ErrEmptyReport) || mustRead(t, out) != "old" {
		t.Errorf("empty: got %v, want ErrEmptyReport and the old file", err)
	}
	broken := report(salesFile(t), "SELECT n FROM nowhere", out)
	err := broken.Run(t.Context(), testRun())
	if err == nil || errors.Is(err, jobs.ErrEmptyReport) || !strings.Contains(err.Error(), "nowhere") || mustRead(t, out) != "old" {
		t.Errorf("broken: got %v, want an error about nowhere and the old file", err)
	}
	r.EmptyIs = ""
	var last string
	run := testRun()
	run.Link = jobs.Hooks{OnProgress: func(text string) { last = text }}
	if err := r.Run(t.Context(), run); err != nil || mustRead(t, out) != "region\n" || !strings.HasPrefix(last, "0 rows") {
		t.Errorf("empty and ok: got %v, %q, progress %q", err, mustRead(t, out), last)
	}
	if names := fileNames(t, dir); !slices.Equal(names, []string{"r.csv"}) {
		t.Errorf("files left: %v", names)
	}
}

func TestReportCannotChangeTheDatabase(t *testing.T) {
	t.Parallel()
	path := salesFile(t)
	for _, query := range []string{"DELETE FROM sales RETURNING n", "SELECT 1; DELETE FROM sales"} {
		_ = report(path, query, filepath.Join(t.TempDir(), "r.csv")).Run(t.Context(), testRun())
	}
	var n int
	if err := openSQLite(t, path).QueryRowContext(t.Context(), "SELECT count(*) FROM sales").Scan(&n); err != nil || n != 3 {
		t.Errorf("got %d rows, %v; want 3", n, err)
	}
}

func TestReportOfAMissingFileMakesNone(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"sqlite:", "file:"} {
		path := filepath.Join(t.TempDir(), "absent.db")
		r := report(path, "SELECT 1", filepath.Join(t.TempDir(), "r.csv"))
		r.DSN.Literal = form + path
		if err := r.Run(t.Context(), testRun()); err == nil {
			t.Errorf("%s: no error", form)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: an empty database was made", form)
		}
	}
}

func TestReportEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cause := errors.New("lease lost")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(200*time.Millisecond, func() { cancel(cause) })
	endless := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0 OR i % 1000 = 0"
	begin := time.Now()
	err := report(salesFile(t), endless, dir+"/r.csv").Run(ctx, testRun())
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if names := fileNames(t, dir); len(names) > 0 {
		t.Errorf("files left: %v", names)
	}
}

// manyBytes is about how much the report of manyRows holds: more than its memory may.
const manyBytes = 100_000_000

func TestReportOfManyRowsKeepsMemoryFlat(t *testing.T) {
	out := filepath.Join(t.TempDir(), "r.csv")
	query := fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT %d) SELECT i, printf('%%0*d', %d, i) AS t FROM n",
		manyRows, manyBytes/manyRows)
	var peak atomic.Int64
	stop := watchHeap(&peak)
	err := report(salesFile(t), query, out).Run(t.Context(), testRun())
	stop()
	if err != nil {
		t.Fatal(err)
	}
	got := mustRead(t, out)
	if n := strings.Count(got, "\n"); n != manyRows+1 || len(got) < manyBytes {
		t.Errorf("got %d lines of %d bytes, want %d of more than %d", n, len(got), manyRows+1, manyBytes)
	}
	if got := peak.Load(); got > 64<<20 {
		t.Errorf("the heap grew to %d bytes", got)
	}
}

func TestReportIsBoundedAndCannotLeaveItsDirectory(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "r.csv")
	r := report(salesFile(t), "SELECT n FROM sales", out)
	r.MaxRows = 2
	if err := r.Run(t.Context(), testRun()); err == nil || !strings.Contains(err.Error(), "more than 2 rows") {
		t.Errorf("got %v, want too many rows", err)
	}
	r = report(salesFile(t), "SELECT n FROM sales", t.TempDir()+"/{{.ID}}.csv")
	run := testRun()
	run.ID = "nightly.manual-../../x"
	if err := r.Run(t.Context(), run); err == nil || !strings.Contains(err.Error(), "run's id") {
		t.Errorf("got %v, want the id refused", err)
	}
}

func TestReportSettingsAreChecked(t *testing.T) {
	t.Parallel()
	err := (&jobs.Report{
		DSN: jobs.Secret{Literal: "mysql://u:hunter22@h/"}, Query: " ", Format: "pdf", Output: "{{.Day}}", EmptyIs: "no", Mode: "0999", MaxRows: -1,
		Databases: databases(),
	}).Validate()
	for _, field := range []string{"dsn: ", "query: ", "format: ", "output: ", "emptyIs: ", "mode: ", "maxRows: "} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s is not blamed in %v", field, err)
		}
	}
	if strings.Contains(err.Error(), "hunter22") {
		t.Errorf("the password is in %v", err)
	}
	err = report("x", "select :dya", "x").Validate()
	if fault, ok := errors.AsType[*jobs.FieldError](err); !ok || fault.Field != "query" {
		t.Errorf("a mistyped parameter: got %v", err)
	}
}
