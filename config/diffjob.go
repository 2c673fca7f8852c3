package config

import (
	"cmp"
	"reflect"
	"time"

	"github.com/solocron/solocron/jobs"
)

// jobChanges compares two jobs of one name.
func jobChanges(a, b *Job) []FieldChange {
	var d differ
	d.text("schedule", specOf(a), specOf(b))
	d.text("timeZone", a.TimeZone, b.TimeZone)
	if len(d.list) == 0 && a.Schedule != nil && b.Schedule != nil { // dst, jitter, bounds, calendars
		d.text("moments", a.Schedule.String(), b.Schedule.String())
	}
	d.text("kind", a.Kind, b.Kind)
	va, vb := reflect.ValueOf(a.Runner), reflect.ValueOf(b.Runner)
	if a.Kind == b.Kind && va.Kind() == reflect.Pointer && va.Type() == vb.Type() {
		d.structs(a.Kind, va.Elem(), vb.Elem(), nil)
	}
	d.text("mode", mode(a.Shadow), mode(b.Shadow))
	d.text("logs.maxBytes", logLimit(a.LogLimit), logLimit(b.LogLimit))
	d.structs("", reflect.ValueOf(spelled(a.Job)), reflect.ValueOf(spelled(b.Job)), func(f reflect.StructField) bool {
		return f.Name != "Name" && f.Name != "Kind" && f.Name != "Runner"
	})
	d.values("notify", reflect.ValueOf(a.Notify), reflect.ValueOf(b.Notify))
	d.values("expect", reflect.ValueOf(a.Expect), reflect.ValueOf(b.Expect))
	d.values("ping", reflect.ValueOf(a.Ping), reflect.ValueOf(b.Ping))
	d.text("description", a.Description, b.Description)
	d.text("runbook", a.Runbook, b.Runbook)
	return d.list
}

// specOf is the schedule of j as a file has it.
func specOf(j *Job) string {
	if j.Unscheduled {
		return manual
	}
	return j.Spec
}

// spelled is j with what its policies leave empty written out, and without what
// jobChanges tells in other words.
func spelled(j jobs.Job) jobs.Job {
	p := &j.Policies
	p.Shadow, p.LogLimit = false, 0
	p.Overlap = cmp.Or(p.Overlap, "skip")
	p.Catchup.Policy = cmp.Or(p.Catchup.Policy, "latest")
	p.Retry.MaxAttempts = cmp.Or(p.Retry.MaxAttempts, 1)
	p.Retry.MaxInterval = cmp.Or(p.Retry.MaxInterval, max(5*time.Minute, p.Retry.InitialInterval))
	p.History = p.History.WithDefaults()
	p.OnHolderLost = cmp.Or(p.OnHolderLost, "skip")
	p.OnInterrupt = cmp.Or(p.OnInterrupt, "rerun")
	p.OnStoreDown = cmp.Or(p.OnStoreDown, "wait")
	p.OnOverrun = cmp.Or(p.OnOverrun, "report")
	return j
}

func mode(shadow bool) string {
	if shadow {
		return "shadow"
	}
	return "active"
}

func logLimit(n int) string {
	return formatSize(int64(max(0, cmp.Or(n, jobs.DefaultLogLimit))))
}
