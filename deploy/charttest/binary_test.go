package charttest_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	core "k8s.io/api/core/v1"

	"github.com/solocron/solocron/deploy/charttest"
)

// program is the scheduler of this tree, built once; SOLOCRON_BINARY names another.
var program = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("SOLOCRON_BINARY"); path != "" {
		return path, nil
	}
	path := filepath.Join(os.Getenv(buildDir), "scheduler")
	build := exec.Command("go", "build", "-o", path, "./cmd/scheduler")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", &buildError{string(out), err}
	}
	return path, nil
})

type buildError struct {
	out string
	err error
}

func (e *buildError) Error() string { return e.err.Error() + "\n" + e.out }

// scheduler is the program with arguments, and of the environment only what is given.
func scheduler(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	// Not the test's context alone: that ends before the cleanup which asks for a clean end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = env
	return cmd
}

// container is that of the scheduler, with its environment as the kubelet makes it.
func container(t *testing.T, r charttest.Rendered) (c core.Container, env []string) {
	t.Helper()
	c = only(t, charttest.Pods(r)["Deployment/solocron"].Spec.Containers)
	for _, e := range c.Env {
		if e.Name == "POD_NAME" {
			e.Value = "solocron-0"
		}
		if e.ValueFrom == nil || e.Name == "POD_NAME" {
			env = append(env, e.Name+"="+e.Value)
		}
	}
	return c, env
}

// What the chart writes is a file that the scheduler takes, with the environment and
// arguments that the pods have.
func TestTheSchedulerTakesWhatTheChartWrites(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, yamlValues string, r charttest.Rendered) {
		if values(t, yamlValues)["existingConfigMap"] != nil {
			return // somebody else's file
		}
		path := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(path, []byte(configOf(t, r)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, env := container(t, r)
		if out, err := scheduler(t, env, "config", "validate", path).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, out, configOf(t, r))
		}
	})
}

func TestTheTestOfHelmIsACommandOfTheScheduler(t *testing.T) {
	t.Parallel()
	c := only(t, charttest.Pods(render(t, plain))["Pod/solocron-test"].Spec.Containers)
	out, err := scheduler(t, nil, append(c.Args, "--help")...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "healthcheck") {
		t.Errorf("%v: got %v\n%s", c.Args, err, out)
	}
	if got, want := c.Args[3], "http://solocron-metrics:8081"; got != want {
		t.Errorf("asks %s, want %s", got, want)
	}
	named(t, render(t, plain), "Service", "solocron-metrics")
}

// A pod of the first installation, as a process: it is ready, shows nothing to those
// without a token, and everything to the one whose Secret the chart has made.
func TestTheFirstInstallationServesTheOneWithTheToken(t *testing.T) {
	t.Parallel()
	r := render(t, plain)
	c, env := container(t, r)
	etc := filepath.Join(t.TempDir(), "etc")
	lay(t, filepath.Join(etc, "config", "config.yaml"), strings.ReplaceAll(configOf(t, r), "/etc/solocron", etc))
	for key, value := range secret(t, r, "solocron-auth").Data {
		lay(t, filepath.Join(etc, "auth", key), string(value))
	}
	for i, e := range env {
		name, value, _ := strings.Cut(e, "=")
		env[i] = name + "=" + strings.ReplaceAll(value, "/etc/solocron", etc)
	}
	api, probes := free(t), free(t)
	args := make([]string, 0, len(c.Args))
	for _, a := range c.Args {
		args = append(args, strings.ReplaceAll(a, "/etc/solocron", etc))
	}
	args = append(args, "--set", "redis.addr=embedded,admin.listen="+api+",admin.probes="+probes)

	cmd := scheduler(t, env, args...)
	var log bytes.Buffer
	cmd.Stderr, cmd.Dir = &log, t.TempDir()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("the end: %v\n%s", err, log.String())
		}
	})

	for _, path := range []string{c.StartupProbe.HTTPGet.Path, c.ReadinessProbe.HTTPGet.Path, c.LivenessProbe.HTTPGet.Path, "/metrics"} {
		if got := eventually(t, "http://"+probes+path, "", http.StatusOK); got != http.StatusOK {
			t.Fatalf("%s: got %d, want 200", path, got)
		}
	}
	token := string(secret(t, r, "solocron-admin-token").Data["token"])
	for _, q := range []struct {
		name, token string
		want        int
	}{{"nobody", "", http.StatusUnauthorized}, {"somebody else", "x" + token[1:], http.StatusUnauthorized}, {"the admin", token, http.StatusOK}} {
		if got := eventually(t, "http://"+api+"/api/v1/jobs", q.token, q.want); got != q.want {
			t.Errorf("%s: got %d, want %d", q.name, got, q.want)
		}
	}
}

func lay(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o440); err != nil {
		t.Fatal(err)
	}
}

// free returns an address on loopback where nobody listens.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// eventually asks until the status is the one wanted, for a minute at most, and returns
// the last one; 0 if there was no answer.
func eventually(t *testing.T, url, token string, want int) (status int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
		_ = res.Body.Close()
		if status = res.StatusCode; status == want {
			return status
		}
	}
	return status
}
