package deps_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/solocron/solocron/internal/deps"
)

func TestNoPackageOfTheModuleBreaksAnImportRule(t *testing.T) {
	t.Parallel()
	g := load(t)
	if got := len(g.Own()); got < 4 {
		t.Fatalf("go list found %d packages of %s, want the whole module", got, deps.Module)
	}
	for _, breach := range deps.Check(g) {
		t.Error(breach)
	}
}

// load asks the go command once for the module and everything it imports.
func load(t *testing.T) deps.Graph {
	t.Helper()
	watch(t, "../..")
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-deps", "-json=ImportPath,Imports,Standard", "./...")
	cmd.Dir = "../.."
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	g, err := deps.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// watch lists the directories with Go files below root. The go command takes a
// test's result from its cache unless a file changed that the test itself
// opened; what go list reads for it does not count, but these listings do.
func watch(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if errors.Is(err, fs.ErrNotExist) { // another test's file, gone meanwhile
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEachRuleCatchesItsBreach(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, imports, want string }{
		"election knows jobs":          {"election", "@jobs", "know nothing of each other"},
		"jobs knows schedule":          {"jobs", "@schedule", "know nothing of each other"},
		"schedule knows election":      {"schedule", "@election/memlease", "know nothing of each other"},
		"scheduler knows admin":        {"scheduler", "@admin", "one way"},
		"journal knows cmd":            {"journal/redisjournal", "@cmd/scheduler", "one way"},
		"config knows daemon":          {"config", "@daemon", "one way"},
		"product uses a test helper":   {"daemon", "@internal/redistest", "helpers of tests"},
		"product uses a suite":         {"election/memlease", "@election/leasetest", "helpers of tests"},
		"election links a library":     {"election", "golang.org/x/sync/errgroup", "standard library only"},
		"memlease links go-redis":      {"election/memlease", "github.com/redis/go-redis/v9", "standard library only"},
		"breaker links a library":      {"election/breaker", "github.com/sony/gobreaker/v2", "standard library only"},
		"preflight links go-redis":     {"election/redislease/preflight", "github.com/redis/go-redis/v9", "standard library only"},
		"redlock links go-redis":       {"election/redlock", "github.com/redis/go-redis/v9", "standard library only"},
		"election links etcd":          {"election", "go.etcd.io/etcd/client/v3", "standard library only"},
		"daemon links etcd":            {"daemon", "go.etcd.io/etcd/client/v3", "allowed only in election/etcdlease"},
		"client links viper":           {"internal/redisclient", "github.com/spf13/viper", "allowed only in config"},
		"client uses a test helper":    {"internal/redisclient", "@internal/redistest", "helpers of tests"},
		"embedder links etcd":          {"election/redislease", "go.etcd.io/etcd/client/v3", "embeds the engine would link go.etcd.io"},
		"breaker knows telemetry":      {"election/breaker", "@telemetry", "one way"},
		"scheduler links go-redis":     {"scheduler", "github.com/redis/go-redis/v9", "allowed only in election/redislease"},
		"daemon links go-redis":        {"daemon", "github.com/redis/go-redis/v9", "allowed only in election/redislease"},
		"cmd links viper":              {"cmd/scheduler", "github.com/spf13/viper", "allowed only in config"},
		"admin links prometheus":       {"admin", "github.com/prometheus/client_golang/prometheus/promhttp", "allowed only in telemetry"},
		"jobs links robfig":            {"jobs", "github.com/robfig/cron/v3", "allowed only in scheduler"},
		"daemon links miniredis":       {"daemon", "github.com/alicebob/miniredis/v2", "allowed only in cmd"},
		"engine links otel":            {"scheduler", "go.opentelemetry.io/otel", "allowed only in telemetry"},
		"access links oidc":            {"admin/access", "github.com/coreos/go-oidc/v3/oidc", "allowed only in admin/access/oidc"},
		"daemon links huma":            {"daemon", "github.com/danielgtaylor/huma/v2", "allowed only in admin"},
		"telemetry links cobra":        {"telemetry", "github.com/spf13/cobra", "allowed only in cmd"},
		"jobs links sqlite":            {"jobs", "modernc.org/sqlite", "allowed only in jobs/sqlite"},
		"main links pgx":               {"cmd/scheduler", "github.com/jackc/pgx/v5/stdlib", "allowed only in jobs/postgres"},
		"daemon links mysql":           {"daemon", "github.com/go-sql-driver/mysql", "allowed only in jobs/mysql"},
		"embedder links sqlite":        {"jobs", "modernc.org/sqlite", "embeds the engine would link modernc.org"},
		"embedder links pgx":           {"scheduler", "github.com/jackc/pgx/v5", "embeds the engine would link github.com/jackc"},
		"embedder links mysql":         {"jobs", "github.com/go-sql-driver/mysql", "embeds the engine would link github.com/go-sql-driver"},
		"embedder links viper":         {"jobs", "github.com/spf13/viper", "embeds the engine would link github.com/spf13/viper"},
		"embedder links an admin page": {"scheduler", "@admin/page", "embeds the engine would link " + deps.Module + "/admin"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(deps.Check(graph(c.from, c.imports)), "\n")
			if !strings.Contains(got, c.want) {
				t.Errorf("%s imports %s: got %q, want a breach that says %q", c.from, c.imports, got, c.want)
			}
		})
	}
}

func TestWhatTheDesignAllowsIsNoBreach(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, imports string }{
		{"election/redislease", "github.com/redis/go-redis/v9"},
		{"election/redislease", "@election"},
		{"election/leasetest", "pgregory.net/rapid"},
		{"election/redislease", "@election/redislease/preflight"},
		{"daemon", "@election/redislease/preflight"},
		{"election/etcdlease", "go.etcd.io/etcd/client/v3"},
		{"cmd/scheduler", "go.etcd.io/etcd/client/v3"},
		{"cmd/scheduler", "@internal/redisclient"},
		{"internal/redisclient", "github.com/redis/go-redis/v9"},
		{"internal/redisclient", "@election/redislease"},
		{"daemon", "@election/breaker"},
		{"telemetry", "@election/breaker"},
		{"scheduler", "@schedule"},
		{"scheduler", "github.com/robfig/cron/v3"},
		{"jobs", "@guard"},
		{"admin", "@journal"},
		{"admin", "github.com/danielgtaylor/huma/v2/adapters/humago"},
		{"jobs/sqlite", "modernc.org/sqlite"},
		{"jobs/postgres", "github.com/jackc/pgx/v5"},
		{"internal/pgtest", "github.com/jackc/pgx/v5/stdlib"},
		{"cmd/scheduler", "@jobs/sqlite"},
		{"cmd/scheduler", "@daemon"},
		{"cmd/scheduler", "github.com/alicebob/miniredis/v2"},
		{"internal/cluster", "github.com/redis/go-redis/v9"},
		{"internal/cluster", "@daemon"},
		{"election", "crypto/rand"},
	} {
		if got := deps.Check(graph(c.from, c.imports)); len(got) != 0 {
			t.Errorf("%s imports %s: got %q, want no breach", c.from, c.imports, got)
		}
	}
}

// graph is two packages, one importing the other; "@" stands for the module.
func graph(from, imports string) deps.Graph {
	path := deps.Module + "/" + from
	imports = strings.Replace(imports, "@", deps.Module+"/", 1)
	standard := !strings.Contains(strings.Split(imports, "/")[0], ".")
	return deps.Graph{
		path:    {ImportPath: path, Imports: []string{imports}},
		imports: {ImportPath: imports, Standard: standard},
	}
}
