package config_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

func noop(context.Context, jobs.Run) error { return nil }

// good parses text and fails the test if it has faults.
func good(t *testing.T, text string) *config.Config {
	t.Helper()
	cfg, err := config.Parse("c.yaml", []byte(text), kinds())
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// bad parses text and returns its faults; none fails the test.
func bad(t *testing.T, text string) config.Faults {
	t.Helper()
	_, err := config.Parse("c.yaml", []byte(text), kinds())
	faults, ok := errors.AsType[config.Faults](err)
	if !ok {
		t.Fatalf("got %v, want faults", err)
	}
	return faults
}

// written puts text into a file and returns its path.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
