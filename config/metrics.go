package config

import (
	"net/url"
	"strings"

	"github.com/solocron/solocron/jobs"
)

// Metrics says what is counted.
type Metrics struct {
	PerJob PerJob `yaml:"perJob"` // whether each job has series of its own
}

// PerJob says whether each job has metrics of its own.
type PerJob string

// The values of PerJob.
const (
	PerJobAuto   PerJob = "auto" // up to PerJobLimit jobs
	PerJobAlways PerJob = "always"
	PerJobNever  PerJob = "never"
)

// PerJobLimit is up to how many jobs PerJobAuto lets each have series of its own:
// beyond, a scrape of every replica would be longer than what it says is worth.
const PerJobLimit = 5000

// For reports whether n jobs have series of their own.
func (p PerJob) For(n int) bool {
	switch p {
	case PerJobAlways:
		return true
	case PerJobNever:
		return false
	}
	return n <= PerJobLimit
}

func badPerJob(p PerJob) string {
	switch p {
	case PerJobAuto, PerJobAlways, PerJobNever:
		return ""
	}
	return "must be auto, always or never, not " + quote(string(p))
}

// Tracing says where spans are sent.
type Tracing struct {
	Endpoint    string                 `yaml:"endpoint"`    // URL of a receiver of OTLP over HTTP; "": nothing is traced
	Headers     map[string]jobs.Secret `yaml:"headers"`     // of each request to it
	SampleRatio float64                `yaml:"sampleRatio"` // of ticks that are traced, 0 to 1; the same ones on every replica
}

const maxTraceHeaders = 20

// checkTracing reports what cannot work in the section tracing.
func (l *loader) checkTracing() {
	t := l.config.Tracing
	for _, s := range []struct{ key, msg string }{
		{"tracing.endpoint", badEndpoint(t.Endpoint)},
		{"tracing.headers", badTraceHeaders(t.Headers)},
		{"tracing.sampleRatio", badRatio(t.SampleRatio)},
	} {
		if s.msg != "" {
			l.blame(s.key, s.msg)
		}
	}
}

// badEndpoint says what is wrong with text as the URL of a receiver. It repeats
// nothing of it: somebody may have written a password there.
func badEndpoint(text string) string {
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return "must be a URL such as http://127.0.0.1:4318/v1/traces"
	case u.User != nil:
		return "holds a name or a password: send it in a header, { Authorization: { file: PATH } }"
	case u.RawQuery != "" || u.Fragment != "":
		return "must have neither ? nor #"
	}
	return ""
}

func badTraceHeaders(headers map[string]jobs.Secret) string {
	if len(headers) > maxTraceHeaders {
		return "has too many headers: at most 20"
	}
	for name := range headers {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !tokenChar(r) }) {
			return quote(name) + " is no name of a header"
		}
	}
	return ""
}

// tokenChar reports whether r may stand in the name of a header.
func tokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

func badRatio(r float64) string {
	if r < 0 || r > 1 {
		return "must be a number from 0 to 1"
	}
	return ""
}
