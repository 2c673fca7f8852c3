package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxProblem = 256 << 10        // bytes of an answer that are read for what is wrong
	maxRetry   = 10 * time.Second // that a server can ask to wait
)

// ProblemError is what a server says is wrong, as RFC 9457 has it.
type ProblemError struct {
	Type      string `json:"type"`
	Status    int    `json:"status"`
	Title     string `json:"title"`
	Detail    string `json:"detail"`
	Run       string `json:"run"`
	Prev      string `json:"prev"`
	Next      string `json:"next"`
	RequestID string `json:"requestId"` // by which the server's log and trace know the request
	TraceID   string `json:"traceId"`
	Errors    []struct {
		Location string `json:"location"`
		Param    string `json:"param"`
		Message  string `json:"message"`
	} `json:"errors"`

	Hint    string        `json:"-"` // what else may help; may be empty
	Retry   time.Duration `json:"-"` // after which it may work; 0: it does not say
	Verbose bool          `json:"-"` // Error tells what helps to find it in the server's log
}

// readProblem reads an answer that is not a success.
func readProblem(res *http.Response, verbose bool) error {
	p := &ProblemError{}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxProblem))
	if err != nil || json.Unmarshal(text, p) != nil || p.Title == "" {
		p = &ProblemError{Title: "the server answered " + OneLine(res.Status)}
	}
	p.Verbose = verbose
	p.RequestID = cmp.Or(p.RequestID, res.Header.Get("X-Request-Id"))
	p.Status = res.StatusCode // of a proxy between, if that has another opinion
	if s, err := strconv.ParseUint(res.Header.Get("Retry-After"), 10, 31); err == nil {
		p.Retry = min(time.Duration(s)*time.Second, maxRetry)
	}
	return p
}

// Kind is the word for programs in p's type: job-not-found.
func (p *ProblemError) Kind() string { return p.Type[strings.LastIndexAny(p.Type, ":/")+1:] }

// Code is the exit code for p.
func (p *ProblemError) Code() Code {
	if p.Kind() == "idempotency-key-reused" {
		return Conflict
	}
	return CodeOfStatus(p.Status)
}

// Error is p on one line.
func (p *ProblemError) Error() string {
	text := p.Title
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	var more []string
	for _, e := range p.Errors {
		about := e.Param
		if about == "" {
			about = e.Location
		}
		more = append(more, strings.TrimSpace(about+" "+e.Message))
	}
	for _, m := range []struct{ name, value string }{{"run", p.Run}, {"prev", p.Prev}, {"next", p.Next}} {
		if m.value != "" {
			more = append(more, m.name+" "+m.value)
		}
	}
	if len(more) > 0 {
		text += fmt.Sprintf(" (%s)", strings.Join(more, "; "))
	}
	if p.Hint != "" {
		text = strings.TrimSuffix(text, ".") + p.Hint
	}
	if p.Verbose {
		text += p.traces()
	}
	return OneLine(text)
}

// traces are the words by which those who run the server find the request.
func (p *ProblemError) traces() string {
	words := []string{strings.TrimSpace(fmt.Sprintf("%d %s", p.Status, p.Kind()))}
	for _, m := range []struct{ name, value string }{{"request", p.RequestID}, {"trace", p.TraceID}} {
		if m.value != "" {
			words = append(words, m.name+" "+Clip(m.value, 80))
		}
	}
	return " [" + strings.Join(words, ", ") + "]"
}

// OneLine is s without control characters, for a terminal.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, s)
}

// Clip cuts s to n characters, of which the last says that there were more.
func Clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
