package config_test

import (
	"math"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"pgregory.net/rapid"
)

func TestLengthsOfTimeAreReadWithDaysAndFractions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0": 0, "0s": 0, "90s": 90 * time.Second, "1h30m": 90 * time.Minute, "1.5h": 90 * time.Minute, ".5s": 500 * time.Millisecond,
		"1d": 24 * time.Hour, "1d12h": 36 * time.Hour, "0.5d": 12 * time.Hour, "250ms": 250 * time.Millisecond,
		"1us": time.Microsecond, "1µs": time.Microsecond, "7ns": 7, "9223372036854775807ns": math.MaxInt64,
	} {
		if got, err := config.ParseDuration(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestBadLengthsOfTimeSayWhatToWrite(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "is empty: write a length of time such as 90s",
		"90":                    `"90" lacks a unit: write 90s for seconds`,
		"1h30":                  `"1h30" lacks a unit: write 1h30s for seconds`,
		"-5s":                   `"-5s" must not be negative`,
		"5 m":                   `"5 m" has a space in it: write a length of time such as 90s or 1h30m`,
		"90sec":                 `"90sec" has the unknown unit "sec": there are d, h, m, s, ms, us and ns`,
		"1w":                    `"1w" has the unknown unit "w": there are d, h, m, s, ms, us and ns`,
		"1H":                    `"1H" has the unknown unit "H": there are d, h, m, s, ms, us and ns`,
		"h":                     `"h" is not a length of time: write one such as 90s, 1h30m or 1d`,
		".s":                    `".s" is not a length of time: write one such as 90s, 1h30m or 1d`,
		"1.2.3s":                `"1.2.3s" is not a length of time: write one such as 90s, 1h30m or 1d`,
		"10000000h":             `"10000000h" is too long: the longest is 292 years`,
		"9223372036854775808ns": `"9223372036854775808ns" is too long: the longest is 292 years`,
		"106751d23h47m17s":      `"106751d23h47m17s" is too long: the longest is 292 years`,
		"99999999999999999999d": `"99999999999999999999d" is too long: the longest is 292 years`,
	} {
		_, err := config.ParseDuration(text)
		if err == nil || err.Error() != want {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestWhatADurationPrintsIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "ns"))
		got, err := config.ParseDuration(want.String())
		if err != nil || got != want {
			t.Fatalf("%s: got %v, %v", want, got, err)
		}
	})
}
