package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/etcdtest"
	"github.com/solocron/solocron/internal/faultproxy"
	"github.com/solocron/solocron/internal/redistest"
)

// judged is what doctor says with some settings, env before it.
func judged(t *testing.T, settings string, env ...string) ran {
	t.Helper()
	dir := t.TempDir()
	write(t, dir+"/config.yaml", settings+"\njobs: [{ name: a, schedule: \"@daily\", shell: \"true\" }]\n")
	p := start(t, dir, env, "doctor")
	return p.wait(t)
}

// runs serves with some settings until a job has run three times.
func runs(t *testing.T, settings string) {
	t.Helper()
	s := serve(t, settings+"\njobs: [{ name: beat, schedule: \"@every 1s\", shell: \"true\" }]\n")
	until(t, 30*time.Second, "three runs", func() bool { return strings.Count(s.stderr.String(), `"msg":"run succeeded"`) >= 3 })
	for line := range strings.Lines(s.stderr.String()) {
		if strings.Contains(line, `"state":"fail"`) {
			t.Errorf("the preflight failed: %s", line)
		}
	}
}

func list(addrs []string) string { return "[" + strings.Join(addrs, ", ") + "]" }

// passes holds that no row of doctor failed and that it has some words.
func passes(t *testing.T, got ran, words ...string) {
	t.Helper()
	if got.code != 0 {
		t.Errorf("got exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, w := range words {
		if !strings.Contains(got.stdout, w) {
			t.Errorf("no %q in\n%s", w, got.stdout)
		}
	}
}

// fails holds that a row of doctor failed with some words.
func fails(t *testing.T, got ran, words ...string) {
	t.Helper()
	if got.code != 1 {
		t.Errorf("got exit code %d, want 1\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, w := range words {
		if !strings.Contains(got.stdout, w) {
			t.Errorf("no %q in\n%s", w, got.stdout)
		}
	}
	if strings.Contains(got.stdout+got.stderr, "hunter2") {
		t.Errorf("the password shows:\n%s%s", got.stdout, got.stderr)
	}
}

func TestJobsRunBehindSentinels(t *testing.T) {
	t.Parallel()
	s := redistest.StartSentinel(t)
	settings := fmt.Sprintf("redis: { addrs: %s, sentinel: { master: %s }, waitReplicas: 1 }", list(s.Addrs()), s.Name)
	passes(t, judged(t, settings), "2 follow, 1 are waited for")
	runs(t, settings)
	fails(t, judged(t, strings.Replace(settings, "master: "+s.Name, "master: nope", 1)), `know no master "nope"`, "redis.sentinel.master")
	fails(t, judged(t, fmt.Sprintf("redis: { addrs: [%s] }", s.Addrs()[0])), "set redis.sentinel: { master: NAME }")
	fails(t, judged(t, strings.Replace(settings, "waitReplicas: 1", "waitReplicas: 3", 1)), "2 follow, 3 are waited for", "lower redis.waitReplicas")
}

func TestJobsRunOnACluster(t *testing.T) {
	t.Parallel()
	c := redistest.StartCluster(t, 3, 0)
	settings := fmt.Sprintf("redis: { addrs: [%s], cluster: true }", c.Nodes[0].Addr)
	passes(t, judged(t, settings), "16 of 16 tags have a node, on 3 nodes", "version of "+c.Nodes[2].Addr)
	runs(t, settings)
	fails(t, judged(t, fmt.Sprintf("redis: { addr: %s, db: 3 }", c.Nodes[0].Addr)), "set redis.db to 0, and redis.cluster: true")
}

func TestJobsRunThroughTLSAsAUserWhoseRightsTheDoctorNames(t *testing.T) {
	t.Parallel()
	server := redistest.StartTLS(t, "user app on >hunter2 ~* +ping +info +client +hello")
	c := server.Certificates
	settings := fmt.Sprintf("redis: { addr: %q, username: app, password: { env: TEST_PW }, tls: { ca: %s, cert: %s, key: %s } }",
		server.Addr, c.CA, c.Client, c.ClientKey)
	const env = "TEST_PW=hunter2"
	fails(t, judged(t, settings, env), "NOPERM", "'eval'", "ACL SETUSER USER on >PASSWORD")
	server.Do(t, strings.Fields(strings.Replace(preflight.ACL("app", "solocron"), "PASSWORD", "hunter2", 1))...)
	passes(t, judged(t, settings, env), "EVAL under solocron:")
	t.Run("wrong", func(t *testing.T) {
		fails(t, judged(t, settings, "TEST_PW=hunter22"), "WRONGPASS", "see redis.username and redis.password")
	})
	plain := fmt.Sprintf("redis: { addr: %q }", server.Addr)
	fails(t, judged(t, plain), "set redis.tls: { enabled: true }")
	open := redistest.Start(t)
	fails(t, judged(t, fmt.Sprintf("redis: { addr: %q, tls: { ca: %s } }", open.Addr, c.CA)), "most likely it speaks none; switch redis.tls off")
	got := judged(t, fmt.Sprintf("redis: { addr: %q, tls: { ca: /nowhere/ca.crt } }", open.Addr))
	if got.code != 3 || !strings.Contains(got.stderr, "redis.tls: stat /nowhere/ca.crt") {
		t.Errorf("a file that is not there: got exit code %d, %q, want 3", got.code, got.stderr)
	}
}

func TestJobsRunWithAMajorityOfServers(t *testing.T) {
	t.Parallel()
	kept := redistest.Start(t)
	addrs := make([]string, 3)
	for i := range addrs {
		addrs[i] = redistest.Start(t).Addr
	}
	settings := func(addrs []string) string {
		return fmt.Sprintf("redis: { addr: %q }\nlease: { ttl: 6s, lockDelay: 1s, store: redlock, redlock: { addrs: %s, durable: true } }", kept.Addr, list(addrs))
	}
	passes(t, judged(t, settings(addrs)), "the servers are independent masters", addrs[2]+": version", "journal: version")
	runs(t, settings(addrs))

	replica := redistest.StartReplicated(t, 1)
	fails(t, judged(t, settings([]string{addrs[0], replica.Master.Addr, replica.Replicas[0].Addr})), "independence", "fail", "lease.redlock.addrs")
	fails(t, judged(t, settings([]string{addrs[0], addrs[1], faultproxy.Start(t, addrs[0]).Addr()})), "independence", "fail")
}

func TestJobsRunWithLeasesInEtcd(t *testing.T) {
	t.Parallel()
	kept := redistest.Start(t)
	e := etcdtest.Start(t, 1)
	settings := fmt.Sprintf("redis: { addr: %q }\nlease: { store: etcd, etcd: { endpoints: [%s] } }", kept.Addr, strings.TrimPrefix(e.Endpoints()[0], "http://"))
	passes(t, judged(t, settings), "journal: version")
	runs(t, settings)
	fails(t, judged(t, fmt.Sprintf("redis: { addr: %q }\nlease: { store: etcd, etcd: { endpoints: ['127.0.0.1:1'] } }", kept.Addr)), "lease.etcd.endpoints")
}

func TestDevUsesARedisOfItsOwnWhateverTheFileSays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir+"/jobs.yaml", `
redis: { addrs: ['127.0.0.1:1'], sentinel: { master: m }, password: { env: NONE }, waitReplicas: 1 }
jobs: [{ name: a, schedule: "@every 1s", shell: "true" }]
`)
	got := scheduler(t, dir, "dev", "--for", "3s", "--listen", "127.0.0.1:0", "jobs.yaml")
	if got.code != 0 || !strings.Contains(got.stdout, "succeeded in") {
		t.Errorf("got exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
