package main_test

import (
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

func TestDevShowsWhoWinsAndLeavesAReportAndSyncedRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := scheduler(t, dir, "dev", "--for", "12s")
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("got %d\n%s\n%s", got.code, got.stdout, got.stderr)
	}
	for what, form := range map[string]string{
		"a tick won and lost by name": `(?m)^\d\d:\d\d:\d\d\.\d{3}  heartbeat +\d\d:\d\d:\d\d  won by replica-[abc] \(token \d{16}, \d+ms after the tick\); lost by replica-[abc], replica-[abc]$`,
		"a verdict with its product":  `(?m) heartbeat +\d\d:\d\d:\d\d  succeeded in \d+ms: hello from run heartbeat\.\d{8}T\d{6}Z`,
		"a report":                    `sales-report .* succeeded in .*var/reports/sales\.html`,
		"a sync":                      `orders-sync .* succeeded in .* rows`,
		"that no tick ran twice":      `(?m)^no tick ran twice$`,
		"files":                       `(?m)^  var/reports/sales\.html$`,
		"what to try next":            `try next(?s:.*)curl -X POST http://127\.0\.0\.1:\d+/api/v1/jobs/sales-report/trigger(?s:.*)scheduler serve -c config\.yaml`,
	} {
		if !regexp.MustCompile(form).MatchString(got.stdout) {
			t.Errorf("no %s in\n%s", what, got.stdout)
		}
	}
	report, err := os.ReadFile(filepath.Join(dir, "var/reports/sales.html"))
	if err != nil || !strings.Contains(string(report), "Sales by region") {
		t.Errorf("report: %v\n%.200s", err, report)
	}
	checkSynced(t, filepath.Join(dir, "var/demo.db"))
}

// checkSynced wants copied orders in the database, each as some order is or was.
func checkSynced(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var orders, copied, foreign int
	err = db.QueryRowContext(t.Context(), `select (select count(*) from orders), (select count(*) from orders_copy),
		(select count(*) from orders_copy c left join orders o on o.id = c.id and o.amount = c.amount where o.id is null)`).
		Scan(&orders, &copied, &foreign)
	if err != nil {
		t.Fatal(err)
	}
	if copied == 0 || copied > orders || foreign != 0 {
		t.Errorf("got %d of %d orders copied, %d of them of no order", copied, orders, foreign)
	}
}

func TestDevTakesTheNextPortWhenItsOwnIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "jobs.yaml"), "jobs:\n  - { name: a, schedule: '@hourly', shell: 'true' }\n")
	got := scheduler(t, dir, "dev", file, "--for", "1s", "--listen", taken.Addr().String())
	if got.code != 0 {
		t.Fatalf("got %d\n%s\n%s", got.code, got.stdout, got.stderr)
	}
	if strings.Contains(got.stdout, taken.Addr().String()+"/") || !strings.Contains(got.stdout, "API    http://127.0.0.1:") {
		t.Errorf("address: got\n%s", got.stdout)
	}
}

func TestDevTellsTheAttemptsOfARunThatIsRetried(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "jobs.yaml"), `
jobs:
  - name: flaky
    schedule: "@every 2s"
    retry: { maxAttempts: 2, initialInterval: 100ms }
    shell: 'if [ $SOLOCRON_ATTEMPT = 1 ]; then exit 7; fi; echo fine'
`)
	got := scheduler(t, dir, "dev", file, "--for", "7s")
	if got.code != 0 {
		t.Fatalf("got %d\n%s\n%s", got.code, got.stdout, got.stderr)
	}
	says(t, got.stdout, `flaky .* attempt 1 failed, the next in \d+ms: exit status 7`, `flaky .* attempt 2 runs on replica-[abc] \(token`,
		`flaky .* succeeded in .*: fine`, `(?m)^no tick ran twice$`)
}
