package jobs

import (
	"strconv"
	"time"
)

// environ is the identity of r for a process.
func (r Run) environ() []string {
	return []string{
		"SOLOCRON_RUN_ID=" + r.ID,
		"SOLOCRON_JOB=" + r.Job,
		"SOLOCRON_TICK=" + r.tickText(),
		"SOLOCRON_ATTEMPT=" + strconv.Itoa(r.Attempt),
		"SOLOCRON_TOKEN=" + strconv.FormatInt(r.Token, 10),
	}
}

// headers is the identity of r for an HTTP server. A repeated attempt keeps
// the idempotency key: it is the same piece of work.
func (r Run) headers() map[string]string {
	return map[string]string{
		"Solocron-Run-Id":  r.ID,
		"Solocron-Job":     r.Job,
		"Solocron-Tick":    r.tickText(),
		"Solocron-Attempt": strconv.Itoa(r.Attempt),
		"Solocron-Token":   strconv.FormatInt(r.Token, 10),
		"Idempotency-Key":  r.ID,
	}
}

func (r Run) tickText() string { return r.Tick.UTC().Format(time.RFC3339) }

// complain tells whoever reads the output of r of something that did not stop it.
func (r Run) complain(text string) {
	if r.Output != nil {
		r.Output("stderr", text)
	}
}

// progress tells text to whoever listens.
func (r Run) progress(text string) {
	if r.Progress != nil {
		r.Progress(text)
	}
}
