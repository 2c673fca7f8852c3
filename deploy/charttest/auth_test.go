package charttest_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/solocron/solocron/deploy/charttest"
)

const plain = "redis: {addr: 'redis:6379'}"

func secret(t *testing.T, r charttest.Rendered, name string) *core.Secret {
	t.Helper()
	return named(t, r, "Secret", name).Typed.(*core.Secret)
}

func TestTheFirstInstallationMakesATokenThatNobodyCanGuess(t *testing.T) {
	t.Parallel()
	r, other := render(t, plain), render(t, plain)
	token := string(secret(t, r, "solocron-admin-token").Data["token"])
	if len(token) != 48 || token == string(secret(t, other, "solocron-admin-token").Data["token"]) {
		t.Errorf("got a token of %d characters, want 48 that differ between installations", len(token))
	}
	auth := secret(t, r, "solocron-auth")
	if got, want := string(auth.Data["tokens"]), fmt.Sprintf("admin admin sha256:%x\n", sha256.Sum256([]byte(token))); got != want {
		t.Errorf("file of tokens: got %q, want %q", got, want)
	}
	if got := len(auth.Data["cookie-key"]); got < 32 {
		t.Errorf("the key of cookies has %d bytes, want 32 at least", got)
	}
	if strings.Contains(r.Notes, token) {
		t.Error("the notes print the token")
	}
}

func TestAnUpgradeKeepsTheTokenAndWhatWasAdded(t *testing.T) {
	t.Parallel()
	first := render(t, plain)
	auth, token := secret(t, first, "solocron-auth"), secret(t, first, "solocron-admin-token")
	auth.Data["tokens"] = append(auth.Data["tokens"], "ci operator sha256:00\n"...)

	again := render(t, plain, auth, token)
	for _, s := range []*core.Secret{auth, token} {
		got := secret(t, again, s.Name)
		for key, want := range s.Data {
			if string(got.Data[key]) != string(want) {
				t.Errorf("%s %s: got %q, want %q", s.Name, key, got.Data[key], want)
			}
		}
	}
}

func TestATokenThatWasPutAwayIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	auth := secret(t, render(t, plain), "solocron-auth")
	again := render(t, plain, auth)
	if got := string(secret(t, again, "solocron-auth").Data["tokens"]); got != string(auth.Data["tokens"]) {
		t.Errorf("file of tokens: got %q, want %q", got, auth.Data["tokens"])
	}
	for _, s := range charttest.All[*core.Secret](again) {
		if s.Name == "solocron-admin-token" {
			t.Error("there is a token that does not fit the file")
		}
	}
}

func TestWithASecretOfSomebodyElseNoneIsMade(t *testing.T) {
	t.Parallel()
	r := render(t, "{redis: {addr: 'redis:6379'}, auth: {existingSecret: mine, tokensKey: t, cookieKeyKey: ''}}")
	if got := charttest.All[*core.Secret](r); len(got) != 0 {
		t.Errorf("got %d Secrets, want none", len(got))
	}
	for _, v := range charttest.Pods(r)["Deployment/solocron"].Spec.Volumes {
		if v.Name == "auth" && (v.Secret.SecretName != "mine" || len(v.Secret.Items) != 1 || v.Secret.Items[0].Key != "t") {
			t.Errorf("got %v, want the key t of mine", v.Secret)
		}
	}
	if cfg := configOf(t, r); strings.Contains(cfg, "cookieKey") {
		t.Errorf("there is no key of cookies, but the file names one:\n%s", cfg)
	}
}

func TestTheRedisOfTheChartHasAPasswordThatStays(t *testing.T) {
	t.Parallel()
	const trial = "redis: {deploy: {enabled: true}}"
	first := render(t, trial)
	s := secret(t, first, "solocron-redis")
	password := s.StringData["password"]
	if len(password) != 32 || !strings.Contains(s.StringData["redis.conf"], "requirepass "+password+"\n") {
		t.Fatalf("got %v, want a password of 32 characters, in redis.conf too", s.StringData)
	}
	for _, o := range first.Objects {
		if o.Kind != "Secret" && strings.Contains(o.Text, password) {
			t.Errorf("%s %s holds the password", o.Kind, o.GetName())
		}
	}
	kept := s.DeepCopy()
	kept.StringData, kept.Data = nil, map[string][]byte{"password": []byte(password)}
	var cluster []runtime.Object
	for _, o := range charttest.All[*core.Secret](first) {
		if o.Name != kept.Name {
			cluster = append(cluster, o)
		}
	}
	if got := secret(t, render(t, trial, append(cluster, kept)...), "solocron-redis").StringData["password"]; got != password {
		t.Errorf("after an upgrade: got %q, want %q", got, password)
	}
}
