package config_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

const oneJob = "jobs: [{name: a, schedule: '0 5 * * *', shell: echo hi}]\n"

// loaded loads text from a file with overrides.
func loaded(t *testing.T, text string, over config.Overrides) (*config.Config, error) {
	t.Helper()
	return config.Load(written(t, text), over, kinds())
}

// environment is a Lookup over NAME=value pairs.
func environment(pairs ...string) config.Lookup {
	return func(name string) (string, bool) {
		for _, p := range pairs {
			if value, ok := strings.CutPrefix(p, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
}

func TestSettingsLeftOutHaveTheirDefaults(t *testing.T) {
	t.Parallel()
	got := good(t, oneJob)
	if got.Replica == "" {
		t.Error("the replica has no name, want the host's")
	}
	want := config.Config{
		Namespace: "default",
		Replica:   got.Replica,
		Redis:     config.Redis{Addr: "127.0.0.1:6379", Protocol: 3},
		Lease: config.Lease{
			TTL: 30 * time.Second, RenewEvery: 10 * time.Second, TryTimeout: time.Second,
			StopGrace: 5 * time.Second, Slack: time.Second, LockDelay: 5 * time.Second,
			Etcd: config.Etcd{Prefix: "solocron"},
		},
		Admin:         config.Admin{Listen: "127.0.0.1:8080"},
		Log:           config.Log{Format: "auto", Level: slog.LevelInfo},
		Clock:         config.Clock{MaxOffset: 2 * time.Second},
		Metrics:       config.Metrics{PerJob: config.PerJobAuto},
		Tracing:       config.Tracing{SampleRatio: 1},
		ShutdownGrace: 30 * time.Second,
		Notify:        config.Notify{Defaults: config.NotifyPolicy{On: config.NotifyEvents(), After: 1, Remind: 24 * time.Hour, Same: time.Hour}},
		Revision:      got.Revision,
		Defaults: config.Defaults{
			TimeZone: "UTC", Timeout: time.Hour, StartingDeadline: 10 * time.Minute, StopGracePeriod: 10 * time.Second,
		},
	}
	settings := *got
	settings.Jobs = nil
	if g, w := fmt.Sprintf("%+v", settings), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("got  %s\nwant %s", g, w)
	}
}

func TestFlagsWinOverEnvironmentWinsOverFileWinsOverDefault(t *testing.T) {
	t.Parallel()
	const file = "namespace: from-file\nredis: {addr: 'file:1', db: 1}\nlease: {ttl: 40s}\n" + oneJob
	env := environment("SCHEDULER_REDIS_ADDR=env:2", "SCHEDULER_REDIS_DB=2", "SCHEDULER_LEASE_RENEW_EVERY=7s")
	cfg, err := loaded(t, file, config.Overrides{Env: env, Flags: map[string]string{"redis.addr": "flag:3"}})
	if err != nil {
		t.Fatal(err)
	}
	got := []any{cfg.Redis.Addr, cfg.Redis.DB, cfg.Namespace, cfg.Lease.TTL, cfg.Lease.RenewEvery, cfg.Log.Format}
	want := []any{"flag:3", 2, "from-file", 40 * time.Second, 7 * time.Second, "auto"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestThePodNameNamesTheReplicaUnlessASettingDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  config.Lookup
		want string
	}{
		{"file alone", nil, "from-file"},
		{"pod name", environment("POD_NAME=pod-7"), "pod-7"},
		{"empty pod name", environment("POD_NAME="), "from-file"},
		{"variable of ours", environment("POD_NAME=pod-7", "SCHEDULER_REPLICA=mine"), "mine"},
	} {
		cfg, err := loaded(t, "replica: from-file\n"+oneJob, config.Overrides{Env: c.env})
		if err != nil {
			t.Fatal(c.name, err)
		}
		if cfg.Replica != c.want {
			t.Errorf("%s: got %q, want %q", c.name, cfg.Replica, c.want)
		}
	}
}

func TestServiceLinksOfKubernetesAreNotSettings(t *testing.T) {
	t.Parallel()
	env := environment("SCHEDULER_PORT=tcp://10.0.0.1:80", "SCHEDULER_SERVICE_HOST=10.0.0.1", "SCHEDULER_REDIS_PORT=tcp://10.0.0.2:6379")
	if _, err := loaded(t, oneJob, config.Overrides{Env: env}); err != nil {
		t.Error(err)
	}
}

func TestAFaultyOverrideIsNamedByWhereItComesFrom(t *testing.T) {
	t.Parallel()
	_, err := loaded(t, oneJob, config.Overrides{
		Env:   environment("SCHEDULER_LEASE_TTL=30", "SCHEDULER_REDIS_ADDR=redis://u:hunter2@host:1"),
		Flags: map[string]string{"admin.listen": ":8080", "redsi.addr": "x"},
	})
	const want = `flags: redsi.addr is no setting
environment: SCHEDULER_LEASE_TTL "30" lacks a unit: write 30s for seconds
flags: admin.listen must be a loopback address such as 127.0.0.1:8080 while nobody has to say who they are: set admin.tokens to a file of tokens (` + "`scheduler token hash`" + ` makes its lines), or set admin.insecureNoAuth: true (--insecure-no-auth) to let everybody who reaches it do everything
environment: SCHEDULER_REDIS_ADDR must be host:port without a scheme; user and password have settings of their own`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAnOverriddenLeaseThatDoesNotWorkOutIsBlamedOnTheOverride(t *testing.T) {
	t.Parallel()
	_, err := loaded(t, oneJob, config.Overrides{Env: environment("SCHEDULER_LEASE_RENEW_EVERY=20s")})
	if got, want := fmt.Sprint(err), "environment: SCHEDULER_LEASE_RENEW_EVERY renewEvery 20s is more than a third"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s...", got, want)
	}
}

func TestDurationsOfALeaseLeftOutFollowItsTTL(t *testing.T) {
	t.Parallel()
	got := good(t, "lease: {ttl: 3s}\n"+oneJob).Lease
	if got.TTL != 3*time.Second || got.RenewEvery != time.Second || got.Election().Validate() != nil {
		t.Errorf("got %+v, want a renewal every second", got)
	}
}

func TestAPasswordIsReadButNeverPrinted(t *testing.T) {
	t.Parallel()
	for _, password := range []string{"hunter2", "{ env: REDIS_PW }", "{ file: /run/redis }"} {
		cfg := good(t, "redis: {password: "+password+"}\n"+oneJob)
		if cfg.Redis.Password.IsZero() || strings.Contains(fmt.Sprintf("%v %+v %#v", cfg, cfg, cfg.Redis), "hunter2") {
			t.Errorf("%s: got %+v, want a secret that does not show", password, cfg.Redis)
		}
	}
	cfg, err := loaded(t, "redis: {password: {env: X}}\n"+oneJob, config.Overrides{Env: environment("SCHEDULER_REDIS_PASSWORD=hunter2")})
	if err != nil || cfg.Redis.Password != (jobs.Secret{Literal: "hunter2"}) {
		t.Errorf("got %+v, %v, want the password of the environment", cfg, err)
	}
}

func TestOnlyLoopbackAddressesMayBeListenedOnWhileNobodySaysWhoTheyAre(t *testing.T) {
	t.Parallel()
	for addr, ok := range map[string]bool{
		"127.0.0.1:8080": true, "127.9.9.9:0": true, "localhost:80": true, "'[::1]:80'": true,
		"0.0.0.0:80": false, "':80'": false, "'[::]:80'": false, "10.0.0.1:80": false, "example.org:80": false,
		"127.0.0.1": false, "127.0.0.1:http": false, "127.0.0.1:65536": false, "localhost.example.org:80": false,
	} {
		_, err := config.Parse("c.yaml", []byte("admin: {listen: "+addr+"}\n"+oneJob), kinds())
		if (err == nil) != ok {
			t.Errorf("%s: got %v, want accepted %t", addr, err, ok)
		}
	}
}

func TestAFileThatIsNotThereIsNoFaultOfItsContents(t *testing.T) {
	t.Parallel()
	_, err := config.Load(t.TempDir()+"/none.yaml", config.Overrides{}, kinds())
	if _, isFaults := err.(config.Faults); err == nil || isFaults { //nolint:errorlint // the type itself is tested
		t.Errorf("got %v, want the error of the file system", err)
	}
}
