package config_test

import (
	"strings"
	"testing"

	"github.com/solocron/solocron/config"
)

func TestWhatIsMeasuredAndTracedIsReadStrictly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"metrics: {perJob: auto}\n":                                "",
		"metrics: {perJob: sometimes}\n":                           "auto, always or never",
		"tracing: {endpoint: 'http://127.0.0.1:4318/v1/traces'}\n": "",
		"tracing: {endpoint: '127.0.0.1:4318'}\n":                  "must be a URL",
		"tracing: {endpoint: 'http://u:hunter2@127.0.0.1:1'}\n":    "send it in a header",
		"tracing: {endpoint: 'http://127.0.0.1:1/?key=hunter2'}\n": "neither",
		"tracing: {sampleRatio: 1.5}\n":                            "from 0 to 1",
		"tracing: {headers: {'a b': x}}\n":                         "no name of a header",
		"tracing: {headers: {X-Key: {env: OTLP_KEY}}}\n":           "",
	} {
		_, err := loaded(t, text+oneJob, config.Overrides{})
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: got %v, want no fault", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		case err != nil && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s: the fault tells the secret: %v", text, err)
		}
	}
}

func TestEachJobHasSeriesUntilThereAreTooMany(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode config.PerJob
		jobs int
		want bool
	}{
		{config.PerJobAuto, config.PerJobLimit, true},
		{config.PerJobAuto, config.PerJobLimit + 1, false},
		{"", 1, true},
		{config.PerJobAlways, 100_000, true},
		{config.PerJobNever, 1, false},
	} {
		if got := c.mode.For(c.jobs); got != c.want {
			t.Errorf("%q with %d jobs: got %v, want %v", c.mode, c.jobs, got, c.want)
		}
	}
}
