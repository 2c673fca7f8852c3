package deps

import (
	"fmt"
	"slices"
	"strings"
)

// Check returns every breach of the rules in g, each with its reason, sorted.
func Check(g Graph) []string {
	var breaches []string
	for _, p := range g.Own() {
		for _, imp := range p.Imports {
			if reason := judge(p, imp, g[imp].Standard); reason != "" {
				breaches = append(breaches, fmt.Sprintf("%s imports %s: %s", p.ImportPath, imp, reason))
			}
		}
	}
	breaches = append(breaches, embedder(g)...)
	slices.Sort(breaches)
	return breaches
}

// judge returns why p may not import imp, or "".
func judge(p Package, imp string, standard bool) string {
	name, _ := p.Name()
	if other, ours := inModule(imp); ours {
		return judgeOwn(name, other)
	}
	if standard {
		return ""
	}
	if in(name, "election") && !networked(name) && !helper(name) {
		return "package election and its stores use the standard library only; go-redis is redislease's, the client of etcd etcdlease's"
	}
	return judgeForeign(name, imp)
}

// networked reports whether name is of a lease store that speaks to a server.
func networked(name string) bool {
	return in(name, "election/redislease") && !in(name, "election/redislease/preflight") || in(name, "election/etcdlease")
}

// layers lists the packages from the ground up; a package imports only lower layers.
// Inside a layer only those of the fourth may know each other.
var layers = [][]string{
	{"guard"},
	{"schedule", "election", "jobs"},
	{"scheduler"},
	{"journal", "config", "admin", "telemetry", "notify"},
	{"daemon"},
	{"cmd"},
}

const sideways = 3 // the layer whose packages may import each other

func layer(name string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, top(name)) })
}

func judgeOwn(name, other string) string {
	if helper(other) && !helper(name) {
		return "helpers of tests stay out of the product"
	}
	from, to := layer(name), layer(other)
	switch {
	case from < 0 || to < 0 || top(name) == top(other) || helper(name):
		return ""
	case from == to && from == sideways:
		return ""
	case from == to:
		return fmt.Sprintf("%s and %s know nothing of each other; scheduler brings them together", top(name), top(other))
	case from < to:
		return "imports point one way: cmd, daemon, {admin telemetry notify journal config}, scheduler, {schedule election jobs}, guard"
	}
	return ""
}

// A fence says which packages of the module may import a foreign module.
type fence struct {
	module string
	homes  []string
	reason string
}

var fences = []fence{
	{"github.com/redis/go-redis", []string{"election/redislease", "journal/redisjournal", redisClient, "cmd"}, "the store is behind election.Store and the journal; only main chooses one"},
	{"go.etcd.io", []string{"election/etcdlease", "cmd"}, "the store is behind election.Store; only main chooses one"},
	{"github.com/spf13/viper", []string{"config"}, "viper lower-cases keys and splits names at dots; config knows what may go through it"},
	{"github.com/invopop", []string{"config/schema"}, "the file is described in one place; others are handed the schema as bytes"},
	{"github.com/prometheus", []string{"telemetry"}, "metrics are observers; others are handed an http.Handler or an Observer"},
	{"go.opentelemetry.io", []string{"telemetry", "cmd"}, "traces are observers; exporters are main's choice"},
	{"github.com/robfig/cron", []string{"scheduler", "schedule"}, "the cron engine only wakes; nobody else depends on its ways"},
	{"github.com/wneessen", []string{"notify"}, "mail is one way of telling people; others hand messages to package notify"},
	{"github.com/fsnotify", []string{"daemon"}, "a file is watched by whoever reloads it"},
	{"github.com/alicebob/miniredis", []string{"cmd"}, "a Redis in the process is for development; main starts it"},
	{"github.com/danielgtaylor/huma", []string{"admin"}, "routes and their description are the API's"},
	{"github.com/coreos/go-oidc", []string{"admin/access/oidc"}, "who does not ask for it does not link it"},
	{"golang.org/x/oauth2", []string{"admin/access/oidc"}, "who does not ask for it does not link it"},
	{"github.com/spf13/cobra", []string{"cmd"}, "flags are main's"},
	{"modernc.org", []string{"jobs/sqlite"}, "a driver is linked by the program that hands its database to jobs.Kinds"},
	{"github.com/jackc", []string{"jobs/postgres"}, "a driver is linked by the program that hands its database to jobs.Kinds"},
	{"github.com/go-sql-driver", []string{"jobs/mysql"}, "a driver is linked by the program that hands its database to jobs.Kinds"},
}

func judgeForeign(name, imp string) string {
	if helper(name) {
		return ""
	}
	for _, f := range fences {
		if in(imp, f.module) && !slices.ContainsFunc(f.homes, func(h string) bool { return in(name, h) }) {
			return "allowed only in " + strings.Join(f.homes, ", ") + ": " + f.reason
		}
	}
	return ""
}

// embedder checks what a Go program links that uses the engine with Redis.
func embedder(g Graph) []string {
	var roots []string
	for _, name := range []string{"scheduler", "election/redislease", "election/memlease", "jobs"} {
		if _, ok := g[Module+"/"+name]; ok {
			roots = append(roots, Module+"/"+name)
		}
	}
	var breaches []string
	for _, bad := range []string{
		"github.com/spf13/viper", "github.com/spf13/cobra", "github.com/prometheus", "github.com/alicebob/miniredis",
		"go.etcd.io", "go.opentelemetry.io", "github.com/wneessen", "github.com/danielgtaylor/huma", "modernc.org", "github.com/jackc", "github.com/go-sql-driver",
		Module + "/admin", Module + "/config", Module + "/daemon", Module + "/notify", Module + "/telemetry",
	} {
		if chain := g.Chain(roots, func(path string) bool { return in(path, bad) }); chain != nil {
			breaches = append(breaches, fmt.Sprintf("a program that embeds the engine would link %s: %s", bad, strings.Join(chain, " -> ")))
		}
	}
	return breaches
}

// redisClient makes the clients of Redis that main hands to stores.
const redisClient = "internal/redisclient"

// shared reports whether name is one of the packages below internal that are part of
// the product.
func shared(name string) bool {
	return in(name, redisClient) || in(name, "internal/tlsfiles") || in(name, "internal/traceid")
}

// helper reports whether name is a package for tests: most of internal/..., or named
// like leasetest.
func helper(name string) bool {
	return in(name, "internal") && !shared(name) || strings.HasSuffix(name, "test")
}

func in(path, tree string) bool { return path == tree || strings.HasPrefix(path, tree+"/") }

func top(name string) string { head, _, _ := strings.Cut(name, "/"); return head }
