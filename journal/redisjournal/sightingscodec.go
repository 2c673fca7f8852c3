package redisjournal

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// The limits of what replicas say to each other about a tick.
const (
	sightingsVersion = 1
	maxQuestion      = 4 << 10
	maxAnswer        = 256 << 10
	maxTerm          = 40 // bytes of a phase, a verdict or a reason
	maxCount         = 1 << 40
)

var questionID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// question asks what was seen of a tick; the answers go to a channel with its ID.
type question struct {
	Version int    `json:"v"`
	ID      string `json:"id"`
	Job     string `json:"job"`
	Tick    int64  `json:"ms"`
}

// answer is what one replica saw.
type answer struct {
	Version int     `json:"v"`
	From    string  `json:"from"`
	Seen    []sight `json:"seen"`
}

// sight is a journal.Sighting; times are milliseconds since 1970.
type sight struct {
	Phase   scheduler.Phase   `json:"p"`
	At      int64             `json:"a"`
	Last    int64             `json:"l"`
	Count   int               `json:"n"`
	Attempt int               `json:"t,omitempty"`
	Delay   time.Duration     `json:"d,omitempty"`
	Verdict scheduler.Verdict `json:"v,omitempty"`
	Reason  scheduler.Reason  `json:"r,omitempty"`
	By      string            `json:"b,omitempty"`
	Note    string            `json:"m,omitempty"`
}

func encodeQuestion(q question) ([]byte, error) {
	q.Version = sightingsVersion
	if len(q.Job) > maxJob {
		return nil, fmt.Errorf("job with %d bytes of name: at most %d", len(q.Job), maxJob)
	}
	return json.Marshal(q)
}

// decodeQuestion reads a question; false: it is none of this version.
func decodeQuestion(message string) (q question, ok bool) {
	if len(message) > maxQuestion || json.Unmarshal([]byte(message), &q) != nil {
		return question{}, false
	}
	return q, q.Version == sightingsVersion && questionID.MatchString(q.ID) && len(q.Job) <= maxJob
}

func encodeAnswer(from string, seen []journal.Sighting) ([]byte, error) {
	a := answer{Version: sightingsVersion, From: from, Seen: make([]sight, 0, len(seen))}
	for _, s := range seen {
		a.Seen = append(a.Seen, sight{
			s.Phase, s.At.UnixMilli(), s.Last.UnixMilli(), s.Count, s.Attempt, s.Delay, s.Verdict, s.Reason, s.By, s.Note,
		})
	}
	return json.Marshal(a)
}

// decodeAnswer reads an answer, whose parts it cuts to their limits; false: it
// is none of this version.
func decodeAnswer(message string) (from string, seen []journal.Sighting, ok bool) {
	var a answer
	if len(message) > maxAnswer || json.Unmarshal([]byte(message), &a) != nil {
		return "", nil, false
	}
	if a.Version != sightingsVersion || a.From == "" || len(a.From) > maxID {
		return "", nil, false
	}
	for _, s := range a.Seen[max(0, len(a.Seen)-journal.MaxSeen):] {
		seen = append(seen, journal.Sighting{
			Phase: upTo(s.Phase, maxTerm), At: time.UnixMilli(s.At).UTC(), Last: time.UnixMilli(s.Last).UTC(),
			Count: min(max(1, s.Count), maxCount), Attempt: min(max(0, s.Attempt), maxCount), Delay: s.Delay,
			Verdict: upTo(s.Verdict, maxTerm), Reason: upTo(s.Reason, maxTerm),
			By: upTo(s.By, journal.MaxWords), Note: upTo(s.Note, journal.MaxWords),
		})
	}
	return a.From, seen, true
}

// upTo cuts text to n bytes.
func upTo[T ~string](text T, n int) T {
	if len(text) <= n {
		return text
	}
	return T(strings.ToValidUTF8(string(text[:n]), ""))
}
