package importer

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// leftovers notes what the object says that has no place here.
func (o *object) leftovers() {
	spec := []string{"spec"}
	job := append(slices.Clone(spec), "jobTemplate", "spec")
	pod := append(slices.Clone(job), "template", "spec")
	o.others([]string{"metadata"}, []string{
		"name", "namespace", "labels", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink",
	})
	if o.Metadata.Namespace != "" {
		o.say(Info, []string{"metadata", "namespace"}, "the namespace is not kept; a file has one for all its jobs, which is part of every key")
	}
	o.others(spec, []string{
		"schedule", "timeZone", "concurrencyPolicy", "startingDeadlineSeconds", "suspend",
		"successfulJobsHistoryLimit", "failedJobsHistoryLimit", "jobTemplate",
	})
	o.others(job, []string{"activeDeadlineSeconds", "backoffLimit", "template"})
	o.others(pod, []string{"restartPolicy", "activeDeadlineSeconds", "terminationGracePeriodSeconds", "containers", "dnsPolicy", "schedulerName"})
	containers := at(o.node, append(slices.Clone(pod), "containers")...)
	if containers == nil || containers.Kind != yaml.SequenceNode {
		return
	}
	for i, c := range containers.Content {
		if i > 0 {
			o.note(c.Line, o.draft.name, Lost, "the container %q: a job runs one command, the first container's", clean(scalar(c, "name")))
			continue
		}
		o.keys(c, []string{"name", "command", "args", "workingDir", "env"})
	}
}

// others notes the keys of the map at path that are not among known.
func (o *object) others(path, known []string) {
	if n := at(o.node, path...); n != nil {
		o.keys(n, known)
	}
}

func (o *object) keys(n *yaml.Node, known []string) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if slices.Contains(known, key.Value) || idle(key.Value, n.Content[i+1]) {
			continue
		}
		s, msg := meaning(key.Value)
		o.note(key.Line, o.draft.name, s, "%s: %s", clean(key.Value), msg)
	}
}

// idle reports whether a field says what holds anyway, or nothing.
func idle(key string, value *yaml.Node) bool {
	switch key {
	case "parallelism", "completions":
		return value.Value == "1"
	case "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "completionMode":
		return true
	}
	return (value.Kind == yaml.MappingNode || value.Kind == yaml.SequenceNode) && len(value.Content) == 0 || value.Tag == "!!null"
}

// meaning says what becomes of a field that is not translated.
func meaning(key string) (Severity, string) {
	switch key {
	case "image":
		return Changed, "the command runs in the scheduler's own container: the programs of the image must be in it"
	case "parallelism", "completions", "completionMode":
		return Lost, "a run is one process"
	case "ttlSecondsAfterFinished":
		return Lost, "history says how long runs are remembered"
	case "podFailurePolicy", "successPolicy", "backoffLimitPerIndex":
		return Lost, "retry.nonRetryableExitCodes and successExitCodes judge exit codes"
	case "initContainers":
		return Lost, "what they prepare must be done by the command, or by a job that triggers this one"
	case "volumes", "volumeMounts", "volumeDevices":
		return Lost, "mount them into the scheduler's own pod"
	case "resources":
		return Lost, "the command shares the resources of the scheduler's own pod"
	case "securityContext", "serviceAccountName", "serviceAccount", "automountServiceAccountToken":
		return Lost, "the command has the rights of the scheduler's own pod"
	case "envFrom":
		return Lost, "name each variable in env, as { env: NAME } or { file: PATH }"
	case "nodeSelector", "affinity", "tolerations", "topologySpreadConstraints", "priorityClassName", "runtimeClassName", "hostNetwork":
		return Lost, "it runs where a replica of the scheduler runs"
	case "livenessProbe", "readinessProbe", "startupProbe", "lifecycle":
		return Lost, "a command has a timeout, and nothing that is asked while it runs"
	case "imagePullSecrets":
		return Lost, "no image is pulled"
	case "annotations", "ownerReferences", "finalizers":
		return Lost, "it is for tools of Kubernetes"
	case "manualSelector", "selector", "suspend":
		return Lost, "it concerns the Job, and there is none"
	}
	return Lost, "there is nothing like it here"
}
