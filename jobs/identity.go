package jobs

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// environ is the identity of r for a process, and its parameters in the order of
// their names.
func (r Run) environ() []string {
	env := []string{
		"SOLOCRON_RUN_ID=" + r.ID,
		"SOLOCRON_JOB=" + r.Job,
		"SOLOCRON_TICK=" + r.tickText(),
		"SOLOCRON_ATTEMPT=" + strconv.Itoa(r.Attempt),
		"SOLOCRON_TOKEN=" + strconv.FormatInt(r.Token, 10),
	}
	if r.TraceParent != "" {
		env = append(env, "TRACEPARENT="+r.TraceParent)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Params)) {
		env = append(env, "SOLOCRON_PARAM_"+strings.ToUpper(name)+"="+r.Params[name])
	}
	return env
}

// paramHeader begins the names of the headers that carry parameters.
const paramHeader = "Solocron-Param-"

// headers is the identity of r for an HTTP server, and its parameters. A
// repeated attempt keeps the idempotency key: it is the same piece of work.
func (r Run) headers() map[string]string {
	all := map[string]string{
		"Solocron-Run-Id":  r.ID,
		"Solocron-Job":     r.Job,
		"Solocron-Tick":    r.tickText(),
		"Solocron-Attempt": strconv.Itoa(r.Attempt),
		"Solocron-Token":   strconv.FormatInt(r.Token, 10),
		"Idempotency-Key":  r.ID,
	}
	if r.TraceParent != "" {
		all["Traceparent"] = r.TraceParent
	}
	for name, value := range r.Params {
		// Common proxies drop headers with an underscore in their name.
		all[paramHeader+strings.ReplaceAll(name, "_", "-")] = value
	}
	return all
}

func (r Run) tickText() string { return r.Tick.UTC().Format(time.RFC3339) }
