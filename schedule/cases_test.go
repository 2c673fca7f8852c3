package schedule_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/solocron/solocron/schedule"
)

// nextCase is one of testdata/next.json: instants found by a walk over every
// minute, confirmed by a second program with another library.
type nextCase struct {
	ID, Spec, TZ, From, Note string
	Next                     []string
	Error, Ambiguous         bool
	Alternative              string
}

func readCases(t *testing.T) []nextCase {
	t.Helper()
	text, err := os.ReadFile("testdata/next.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []nextCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 116 {
		t.Fatalf("testdata/next.json: got %d cases, want at least 116", len(cases))
	}
	return cases
}

// Two cases are answered otherwise on purpose; both were written before the
// language had more words.
//
//   - N068 refuses 5#2, which is now the second Friday.
//   - N093 refuses @every 1d and gives 24 h as its alternative: days are taken.
//
// N069, "H H * * *", is still refused, but for its reason: there is no job to
// take the hash of.
func TestEveryCaseOfNextJSONHasItsAnswer(t *testing.T) {
	t.Parallel()
	taken := map[string]string{"N068": "2025-01-10T00:00:00Z", "N093": "2025-01-02T00:00:00Z"}
	for _, c := range readCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			zone, err := schedule.LoadZone(c.TZ)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schedule.Parse(c.Spec, schedule.Options{Zone: zone})
			if at, ok := taken[c.ID]; ok {
				c.Error, c.Next = false, []string{at}
			}
			if c.Error {
				if err == nil {
					t.Fatalf("%q is accepted as %s; it must be refused: %s", c.Spec, s, c.Note)
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatalf("%q is refused: %v", c.Spec, err)
			}
			comparesNext(t, s, c)
		})
	}
}

func comparesNext(t *testing.T, s *schedule.Schedule, c nextCase) {
	t.Helper()
	at := instant(t, c.From)
	for i, text := range c.Next {
		want := instant(t, text)
		got := s.Next(at)
		if !got.Equal(want) {
			t.Fatalf("%s after %s: got %s, want %s: %s", s, at.In(s.Location()), got.In(s.Location()), want.In(s.Location()), c.Note)
		}
		if got.Location() != time.UTC {
			t.Errorf("got the location %s, want UTC", got.Location())
		}
		if i > 0 {
			if back := s.Prev(got); !back.Equal(at) {
				t.Errorf("%s before %s: got %s, want %s", s, got, back, at)
			}
		}
		at = got
	}
}

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
