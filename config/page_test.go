package config_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin/page"
	"github.com/solocron/solocron/config"
)

func TestThePageCanBeBelowAPathAndHaveABadge(t *testing.T) {
	t.Parallel()
	got := good(t, "admin: { page: { basePath: /ops/cron/, environment: { name: PROD eu-1, tone: danger } } }\n"+oneJob).Admin.Page
	want := config.AdminPage{BasePath: "/ops/cron", Environment: config.PageEnvironment{Name: "PROD eu-1", Tone: "danger"}}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTonesAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	var want []string
	for _, tone := range page.Tones() {
		want = append(want, string(tone))
	}
	if got := config.PageTones(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWhatMakesNoSenseOfThePageIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"basePath: cron":                          "no path such as /cron",
		"basePath: /a//b":                         "no path such as /cron",
		"basePath: /a/../b":                       "no path such as /cron",
		"basePath: '/a?b'":                        "no path such as /cron",
		"basePath: '/a\"b'":                       "no path such as /cron",
		"basePath: /" + long(200):                 "no path such as /cron",
		"basePath: /api/cron":                     "begins as addresses of this place do",
		"basePath: /jobs":                         "begins as addresses of this place do",
		"environment: { tone: shrill }":           "none of neutral, info, warning, danger",
		"environment: { name: " + long(41) + " }": "has 41 bytes",
	} {
		_, err := config.Parse("c.yaml", []byte("admin: { page: { "+text+" } }\n"+oneJob), nil)
		faults, ok := errors.AsType[config.Faults](err)
		if !ok || !strings.Contains(faults.Error(), want) {
			t.Errorf("%s: got %v, want a fault that says %q", text, err, want)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }
