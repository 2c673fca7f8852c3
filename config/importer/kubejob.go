package importer

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
)

// object is one CronJob while it is translated.
type object struct {
	*manifest
	*cronJob

	node  *yaml.Node
	draft *draft
}

// say notes something about the part of the object at path.
func (o *object) say(s Severity, path []string, format string, args ...any) {
	line := o.node.Line
	for i := range path { // as far down as there is something
		if n := at(o.node, path[:i+1]...); n != nil {
			line = n.Line
		}
	}
	o.note(line, o.draft.name, s, format, args...)
}

// translate fills the draft, in the order in which people read a job.
func (o *object) translate() {
	pod := o.Spec.JobTemplate.Spec.Template.Spec
	if len(pod.Containers) == 0 {
		o.leave(o.draft, "it has no container")
		return
	}
	o.when()
	main := pod.Containers[0]
	argv := slices.Concat(main.Command, main.Args)
	if len(main.Command) == 0 {
		o.leave(o.draft, "its container has no command: it runs what the image starts by itself, which is not in the file. Write that as command and import again")
		return
	}
	literals := o.environment(main)
	o.action(argv, literals)
	o.limits()
	o.policies()
	o.surroundings(main)
	if o.place(o.draft) {
		o.leftovers()
	}
}

// limits translates what bounds a run.
func (o *object) limits() {
	job := o.Spec.JobTemplate.Spec
	if s := o.Spec.StartingDeadlineSeconds; s != nil {
		o.length("startingDeadline", max(1, *s), []string{"spec", "startingDeadlineSeconds"})
	}
	limit := job.ActiveDeadlineSeconds
	if pod := job.Template.Spec.ActiveDeadlineSeconds; limit == nil || pod != nil && *pod < *limit {
		limit = pod
	}
	if limit != nil {
		o.length("timeout", max(1, *limit), []string{"spec", "jobTemplate", "spec", "activeDeadlineSeconds"})
	}
	stop := int64(30)
	if s := job.Template.Spec.TerminationGracePeriodSeconds; s != nil {
		stop = max(1, min(*s, 3600))
	}
	o.draft.plain("stopGracePeriod", seconds(stop))
	o.retry(limit != nil)
}

// length sets a field to a number of seconds, at most a year.
func (o *object) length(field string, n int64, path []string) {
	const year = 366 * 24 * 3600
	if n > year {
		o.say(Changed, path, "%s is at most 366d", field)
		n = year
	}
	o.draft.plain(field, seconds(n))
}

func seconds(n int64) string { return config.FormatDuration(time.Duration(n) * time.Second) }

// retry translates backoffLimit, which is 6 where nothing is said.
func (o *object) retry(limited bool) {
	again := 6
	if n := o.Spec.JobTemplate.Spec.BackoffLimit; n != nil {
		again = max(0, *n)
	}
	path := []string{"spec", "jobTemplate", "spec", "backoffLimit"}
	if again > 99 {
		o.say(Changed, path, "there are at most 100 attempts")
		again = 99
	}
	if again == 0 {
		return
	}
	retry := pairs(word("maxAttempts"), &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(again + 1)},
		word("initialInterval"), word("10s"), word("maxInterval"), word("6m"))
	retry.Style = yaml.FlowStyle
	o.draft.set("retry", retry)
	if limited {
		o.say(Changed, path, "timeout bounds each attempt; activeDeadlineSeconds bounds all of them together")
	}
}

// policies translates what happens between runs.
func (o *object) policies() {
	switch p := o.Spec.ConcurrencyPolicy; p {
	case "", "Allow":
		o.draft.text("overlapPolicy", "allow")
	case "Forbid":
		o.draft.text("overlapPolicy", "skip")
	case "Replace":
		o.draft.text("overlapPolicy", "replace")
	default:
		o.say(Lost, []string{"spec", "concurrencyPolicy"}, "concurrencyPolicy is none of Allow, Forbid and Replace; the job skips")
	}
	if o.Spec.Suspend {
		o.draft.plain("suspend", "true")
	}
	history := pairs()
	history.Style = yaml.FlowStyle
	for _, h := range []struct {
		field, path string
		limit       *int
	}{
		{"succeeded", "successfulJobsHistoryLimit", o.Spec.SuccessfulJobsHistoryLimit},
		{"failed", "failedJobsHistoryLimit", o.Spec.FailedJobsHistoryLimit},
	} {
		if h.limit == nil {
			continue
		}
		kept := max(1, min(*h.limit, 10_000))
		if kept != *h.limit {
			o.say(Changed, []string{"spec", h.path}, "history keeps 1 to 10000 runs")
		}
		history.Content = append(history.Content, word(h.field), &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(kept)})
	}
	if len(history.Content) > 0 {
		o.draft.set("history", history)
	}
}

// surroundings translates directory and labels.
func (o *object) surroundings(c container) {
	if c.WorkingDir != "" {
		o.draft.text("workingDir", c.WorkingDir)
	}
	if len(o.Metadata.Labels) == 0 {
		return
	}
	labels := pairs()
	for _, key := range slices.Sorted(maps.Keys(o.Metadata.Labels)) {
		labels.Content = append(labels.Content, word(key), word(o.Metadata.Labels[key]))
	}
	o.draft.set("labels", labels)
}
