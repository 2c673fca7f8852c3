package jobs_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/internal/pgtest"
	"github.com/solocron/solocron/jobs"
)

const (
	pgOrders = `CREATE TABLE orders (id bigint PRIMARY KEY, customer text, amount double precision, raw bytea, updated_at timestamptz NOT NULL)`
	pgFill   = `INSERT INTO orders SELECT i, 'customer ' || i, i / 8.0, decode(lpad(to_hex(i), 8, '0'), 'hex'),
		timestamptz '2026-11-29 01:00:00.123456Z' + (i / 7) * interval '1 microsecond' FROM generate_series(1, $1::int) AS i`
)

// TestPostgres shares one server among the tests that need it.
func TestPostgres(t *testing.T) {
	server := pgtest.Start(t)
	run := func(name string, test func(*testing.T, *pgtest.Server)) {
		t.Run(name, func(t *testing.T) { test(t, server) })
	}
	run("report", reportFromPostgres)
	run("report binds its parameters", reportBindsInPostgres)
	run("report cannot write", reportCannotWritePostgres)
	run("report ends with its context", reportFromPostgresEnds)
	run("password stays secret", passwordStaysSecret)
	run("sync survives kills", syncSurvivesKills)
	run("sync fences a stale token", func(t *testing.T, server *pgtest.Server) {
		source, target := pgPair(t, server, 300)
		staleTokenIsRefused(t, ordersSync(source, target), func() int {
			return len(dump(t, server.Open(t, target), "SELECT id FROM orders"))
		})
	})
	run("of two syncs the older loses", func(t *testing.T, server *pgtest.Server) {
		source, target := pgPair(t, server, 2000)
		olderLoses(t, ordersSync(source, target))
		assertSamePG(t, server, source, target)
	})
	run("sync keeps types", syncKeepsTypes)
	run("sync between systems", syncBetweenSystems)
	run("sync tells a target without rights", syncWithoutRights)
}

func pgPair(t *testing.T, server *pgtest.Server, rows int) (source, target string) {
	t.Helper()
	source, target = server.NewDatabase(t), server.NewDatabase(t)
	exec1(t, server.Open(t, source), pgOrders)
	exec1(t, server.Open(t, source), pgFill, rows)
	exec1(t, server.Open(t, target), pgOrders)
	return source, target
}

func assertSamePG(t *testing.T, server *pgtest.Server, source, target string) {
	t.Helper()
	const query = "SELECT t::text FROM orders t ORDER BY id"
	got, want := dump(t, server.Open(t, target), query), dump(t, server.Open(t, source), query)
	if !slices.Equal(got, want) {
		t.Errorf("the tables differ: got %d rows, want %d", len(got), len(want))
	}
}

func reportFromPostgres(t *testing.T, server *pgtest.Server) {
	out := filepath.Join(t.TempDir(), "r.json")
	r := &jobs.Report{
		DSN: jobs.Secret{Literal: server.DSN("postgres")}, Format: "json", Output: out, Databases: databases(),
		Query: `SELECT :day::date AS day, :tick::timestamptz AS tick, :run_id::text AS id, sum(n) AS sum, 1.50::numeric AS money,
			'NaN'::numeric AS nan, true AS ok, NULL::int AS nothing, '{"a": 1}'::jsonb AS doc, 0.1::float8 AS f, ':day' AS quoted
			FROM (VALUES (40::bigint), (2)) AS v(n)`,
	}
	if err := errors.Join(r.Validate(), r.Run(t.Context(), testRun())); err != nil {
		t.Fatal(err)
	}
	want := "[\n" + `{"day":"2026-11-29","tick":"2026-11-29T01:30:00Z","id":"nightly.20261129T013000Z","sum":42,"money":1.50,"nan":"NaN",` +
		`"ok":true,"nothing":null,"doc":"{\"a\": 1}","f":0.1,"quoted":":day"}` + "\n]\n"
	if got := mustRead(t, out); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func reportBindsInPostgres(t *testing.T, server *pgtest.Server) {
	out := filepath.Join(t.TempDir(), "r.json")
	r := &jobs.Report{
		DSN: jobs.Secret{Literal: server.DSN("postgres")}, Format: "json", Output: out, Databases: databases(),
		Query: `SELECT n, :factor::float8 * 2 AS twice, d::text AS day FROM (VALUES (3, 'Nord', date '2026-11-28'), (4, 'Nord', date '2026-11-29')) AS v(n, region, d)
			WHERE region = :region AND n >= :least AND :all AND d = coalesce(nullif(:date, ''), :day)::date`,
	}
	declared := []jobs.Param{
		{Name: "region"}, {Name: "least", Type: jobs.IntParam}, {Name: "factor", Type: jobs.NumberParam}, {Name: "all", Type: jobs.BoolParam}, {Name: "date"},
	}
	if err := errors.Join(r.DeclareParams(declared), r.Validate()); err != nil {
		t.Fatal(err)
	}
	for date, want := range map[string]string{
		"":           `[` + "\n" + `{"n":4,"twice":3,"day":"2026-11-29"}` + "\n]\n",
		"2026-11-28": `[` + "\n" + `{"n":3,"twice":3,"day":"2026-11-28"}` + "\n]\n",
	} {
		run := withParams("region", "Nord", "least", "3", "factor", "1.5", "all", "true", "date", date)
		if err := r.Run(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		if got := mustRead(t, out); got != want {
			t.Errorf("date %q: got %s, want %s", date, got, want)
		}
	}
}

func reportCannotWritePostgres(t *testing.T, server *pgtest.Server) {
	dsn := server.NewDatabase(t)
	exec1(t, server.Open(t, dsn), "CREATE TABLE t (n int)")
	r := report("", "INSERT INTO t VALUES (1) RETURNING n", filepath.Join(t.TempDir(), "r"))
	r.DSN.Literal = dsn
	if err := r.Run(t.Context(), testRun()); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("got %v, want a read-only transaction", err)
	}
}

func reportFromPostgresEnds(t *testing.T, server *pgtest.Server) {
	cause := errors.New("timeout of the job")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 200*time.Millisecond, cause)
	defer cancel()
	dir := t.TempDir()
	r := report("", "SELECT pg_sleep(60)", dir+"/r")
	r.DSN.Literal = server.DSN("postgres")
	begin := time.Now()
	if err := r.Run(ctx, testRun()); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
	if took := time.Since(begin); took > 10*time.Second || len(fileNames(t, dir)) > 0 {
		t.Errorf("took %v, left %v", took, fileNames(t, dir))
	}
}

func passwordStaysSecret(t *testing.T, _ *pgtest.Server) {
	for _, dsn := range []string{
		"postgres://me:hunter22@127.0.0.1:1/db?connect_timeout=1", "postgres://me:hunter22@[/", "postgres://me:hunter22@h/db?sslmode=hunter22",
		"hunter22://x",
	} {
		r := report("", "SELECT 1", filepath.Join(t.TempDir(), "r"))
		r.DSN.Literal = dsn
		if err := r.Run(t.Context(), testRun()); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("got %v, want an error without the password", err)
		}
	}
}

func syncSurvivesKills(t *testing.T, server *pgtest.Server) {
	source, target := pgPair(t, server, 5000)
	db := server.Open(t, target)
	killed := killAndResume(t, source, target, func() int {
		var n int
		_ = db.QueryRowContext(t.Context(), "SELECT copied FROM solocron_sync").Scan(&n)
		return n
	})
	assertSamePG(t, server, source, target)
	if got := dump(t, db, "SELECT copied, token, watermark_type FROM solocron_sync"); got[0] != `[]interface {}{5000, 41, "time"}` {
		t.Errorf("got %v, want 5000 copied: %d kills must neither lose nor repeat a row", got, killed)
	}
}

func syncKeepsTypes(t *testing.T, server *pgtest.Server) {
	const table = `CREATE TABLE things (k uuid PRIMARY KEY, w numeric(30, 10), b boolean, i smallint, f real, d date, ts timestamp,
		j jsonb, a int[], t text, x bytea, iv interval, "odd ""name" text)`
	source, target := server.NewDatabase(t), server.NewDatabase(t)
	exec1(t, server.Open(t, source), table)
	exec1(t, server.Open(t, target), table)
	exec1(t, server.Open(t, source), `INSERT INTO things VALUES
		('11111111-1111-1111-1111-111111111111', 12345678901234567890.0000000001, true, -3, 0.1, '2026-02-28', '2026-03-29 02:30:00.000001', '{"a":[1,null]}', '{1,2}', 'ü', '\x00ff', '1 day', 'o'),
		('22222222-2222-2222-2222-222222222222', 12345678901234567890.0000000002, false, NULL, 'NaN', 'infinity', NULL, NULL, NULL, '', '', NULL, NULL),
		('33333333-3333-3333-3333-333333333333', 12345678901234567890.0000000002, NULL, 1, 1e30, NULL, NULL, 'null', '{}', NULL, NULL, NULL, NULL)`)
	s := ordersSync(source, target)
	s.Table, s.Key, s.Watermark, s.Batch = "public.things", []string{"k"}, "w", 1
	if err := s.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	const query = "SELECT t::text FROM things t ORDER BY k"
	got, want := dump(t, server.Open(t, target), query), dump(t, server.Open(t, source), query)
	if !slices.Equal(got, want) || len(got) != 3 {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func syncBetweenSystems(t *testing.T, server *pgtest.Server) {
	lite := sqliteFile(t, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price REAL, raw BLOB, ok BOOLEAN, changed DATETIME)",
		`INSERT INTO items VALUES (1, 'ü', 0.1, x'00ff', 1, '2026-11-29 01:30:00'), (2, NULL, NULL, NULL, 0, '2026-11-29 01:30:00'), (9007199254740993, '', -1e300, x'', NULL, '2026-11-29 01:30:00.5')`)
	pg := server.NewDatabase(t)
	exec1(t, server.Open(t, pg), "CREATE TABLE items (id bigint PRIMARY KEY, name varchar(20), price double precision, raw bytea, ok boolean, changed timestamptz)")
	back := sqliteFile(t, "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price REAL, raw BLOB, ok BOOLEAN, changed TEXT)")

	s := ordersSync("sqlite:"+lite, pg)
	s.Table, s.Watermark, s.Batch = "items", "changed", 1
	if err := s.Run(t.Context(), testRun()); err != nil {
		t.Fatal(err)
	}
	got := dump(t, server.Open(t, pg), "SELECT id, name, price, encode(raw, 'hex') AS raw, ok, to_char(changed AT TIME ZONE 'UTC', 'HH24:MI:SS.US') AS c FROM items ORDER BY id")
	want := []string{
		`[]interface {}{1, "ü", 0.1, "00ff", true, "01:30:00.000000"}`,
		`[]interface {}{2, interface {}(nil), interface {}(nil), interface {}(nil), false, "01:30:00.000000"}`,
		`[]interface {}{9007199254740993, "", -1e+300, "", interface {}(nil), "01:30:00.500000"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("to Postgres: got %v\nwant %v", got, want)
	}

	s.Source.DSN.Literal, s.Target.DSN.Literal = pg, "sqlite:"+back
	for range 2 { // the second finds nothing after the checkpoint
		if err := s.Run(t.Context(), testRun()); err != nil {
			t.Fatal(err)
		}
	}
	got = dump(t, openSQLite(t, back), "SELECT id, name, price, typeof(raw) || hex(raw), +ok, changed FROM items ORDER BY id")
	want = []string{
		`[]interface {}{1, "ü", 0.1, "blob00FF", 1, "2026-11-29T01:30:00.000000Z"}`,
		`[]interface {}{2, interface {}(nil), interface {}(nil), "null", 0, "2026-11-29T01:30:00.000000Z"}`,
		`[]interface {}{9007199254740993, "", -1e+300, "blob", interface {}(nil), "2026-11-29T01:30:00.500000Z"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("back to SQLite: got %v\nwant %v", got, want)
	}
	if n := dump(t, openSQLite(t, back), "SELECT copied FROM solocron_sync"); n[0] != "[]interface {}{3}" {
		t.Errorf("copied %v, want 3", n)
	}
}

func syncWithoutRights(t *testing.T, server *pgtest.Server) {
	source, target := pgPair(t, server, 10)
	admin := server.Open(t, target)
	exec1(t, admin, "CREATE ROLE clerk LOGIN")
	exec1(t, admin, "GRANT SELECT, INSERT, UPDATE ON orders TO clerk")
	s := ordersSync(source, strings.Replace(target, "postgres@", "clerk@", 1))
	if err := s.Run(t.Context(), testRun()); err == nil || !strings.Contains(err.Error(), "create table solocron_sync: ") {
		t.Errorf("got %v, want the table that cannot be made", err)
	}
	exec1(t, admin, `CREATE TABLE solocron_sync (job varchar(200) PRIMARY KEY, token bigint NOT NULL, spec text NOT NULL, watermark text NOT NULL,
		watermark_type text NOT NULL, position text NOT NULL, copied bigint NOT NULL, updated_at text NOT NULL)`)
	exec1(t, admin, "GRANT SELECT, INSERT, UPDATE ON solocron_sync TO clerk")
	if err := s.Run(t.Context(), testRun()); err != nil {
		t.Errorf("with the table made by somebody else: %v", err)
	}
}
