package charttest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

func composed(t *testing.T) *types.Project {
	t.Helper()
	dir, err := filepath.Abs("../compose")
	if err != nil {
		t.Fatal(err)
	}
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  dir,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "docker-compose.yaml")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestComposeStartsThreeReplicasWithoutRights(t *testing.T) {
	t.Parallel()
	p := composed(t)
	var replicas []types.ServiceConfig
	for name, s := range p.Services {
		if strings.HasPrefix(name, "replica-") {
			replicas = append(replicas, s)
		}
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.User == "" || s.Privileged {
			t.Errorf("%s may do more than it needs", name)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s is reached from other machines: %v", name, port)
			}
		}
	}
	if len(replicas) != 3 {
		t.Fatalf("got %d replicas, want 3", len(replicas))
	}
	for _, s := range replicas {
		if got := *s.Environment["SCHEDULER_REPLICA"]; got != s.Name {
			t.Errorf("%s is called %s", s.Name, got)
		}
		killed, err := time.ParseDuration(*s.Environment["SCHEDULER_TERMINATION_GRACE_PERIOD"])
		if err != nil || killed != time.Duration(*s.StopGracePeriod) {
			t.Errorf("%s is killed after %s, and believes %s", s.Name, s.StopGracePeriod, killed)
		}
	}
}

func TestTheSchedulerTakesWhatComposeGivesIt(t *testing.T) {
	t.Parallel()
	s := composed(t).Services["replica-1"]
	var env []string
	for name, value := range s.Environment {
		env = append(env, name+"="+*value)
	}
	if out, err := scheduler(t, env, "config", "validate", "../compose/config.yaml").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, args := range [][]string{s.Command, s.HealthCheck.Test[2:]} {
		if out, err := scheduler(t, nil, append(slices.Clone([]string(args)), "--help")...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	for _, secret := range []string{"/run/secrets/cookie-key", *s.Environment["SCHEDULER_ADMIN_TOKENS"]} {
		if !slices.ContainsFunc(s.Secrets, func(c types.ServiceSecretConfig) bool { return "/run/secrets/"+c.Source == secret }) {
			t.Errorf("there is no secret at %s", secret)
		}
	}
}
