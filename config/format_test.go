package config_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/config"
)

func TestLengthsAreWrittenAsAFileHasThem(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0s", 90 * time.Second: "1m30s", time.Hour: "1h", 36 * time.Hour: "1d12h", 1500 * time.Millisecond: "1s500ms", 720 * time.Hour: "30d", 1: "1ns",
	} {
		if got := config.FormatDuration(d); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, 1<<62).Draw(t, "nanoseconds"))
		if back, err := config.ParseDuration(config.FormatDuration(d)); err != nil || back != d {
			t.Fatalf("%d: wrote %s and read %d (%v)", d, config.FormatDuration(d), back, err)
		}
	})
}
