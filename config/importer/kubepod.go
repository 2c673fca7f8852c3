package importer

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// environment translates env and returns the variables whose values are known.
func (o *object) environment(c container) map[string]string {
	literals := map[string]string{}
	for i, v := range c.Env {
		path := containerPath("env")
		switch ref := v.ValueFrom; {
		case v.Name == "" || i >= maxVars:
			o.say(Lost, path, "a variable without a name, or beyond the first %d", maxVars)
		case strings.HasPrefix(v.Name, "SOLOCRON_"):
			o.say(Lost, path, "the variable %s is one that the scheduler sets", v.Name)
		case ref == nil:
			literals[v.Name] = expand(v.Value, literals)
			if secretive(v.Name) && v.Value != "" {
				o.say(Changed, path, "the variable %s looks like a secret and stands in the file: better { env: NAME } or { file: PATH }", v.Name)
			}
		}
	}
	return literals
}

// variables is the env of the job, in the order of the file.
func (o *object) variables(c container, literals map[string]string) *yaml.Node {
	vars := pairs()
	seen := map[string]bool{}
	for _, v := range slices.Backward(c.Env) { // the last of a name counts
		value, known := literals[v.Name]
		ref := v.ValueFrom
		switch {
		case seen[v.Name], v.Name == "", strings.HasPrefix(v.Name, "SOLOCRON_"):
			continue
		case ref == nil && known:
			vars.Content = append([]*yaml.Node{word(v.Name), word(value)}, vars.Content...)
		case ref != nil && (ref.SecretKeyRef != nil || ref.ConfigMapKeyRef != nil):
			kept := pairs(word("env"), word(v.Name))
			kept.Style = yaml.FlowStyle
			vars.Content = append([]*yaml.Node{word(v.Name), kept}, vars.Content...)
			o.say(Changed, containerPath("env"), "the variable %s comes from %s: the scheduler's own environment must have it, or write { file: PATH }", v.Name, source(ref))
		case ref != nil:
			o.say(Lost, containerPath("env"), "the variable %s comes from the pod it runs in; there is none. SOLOCRON_JOB, SOLOCRON_RUN_ID and others are set", v.Name)
		}
		seen[v.Name] = true
	}
	return vars
}

func source(ref *valueFrom) string {
	if ref.SecretKeyRef != nil {
		return "the Secret " + clean(ref.SecretKeyRef.Name) + ", key " + clean(ref.SecretKeyRef.Key)
	}
	return "the ConfigMap " + clean(ref.ConfigMapKeyRef.Name) + ", key " + clean(ref.ConfigMapKeyRef.Key)
}

// action sets what the job runs. Kubernetes replaces $(NAME) before it starts the
// command; a shell would take it for another command.
func (o *object) action(argv []string, literals map[string]string) {
	o.expansions(argv, literals)
	for i, arg := range argv {
		argv[i] = expand(arg, literals)
	}
	if len(argv) == 3 && argv[0] == "/bin/sh" && argv[1] == "-c" {
		o.draft.text("shell", argv[2])
	} else {
		o.draft.set("command", flow(argv...))
	}
	if vars := o.variables(o.Spec.JobTemplate.Spec.Template.Spec.Containers[0], literals); len(vars.Content) > 0 {
		o.draft.set("env", vars)
	}
}

// expansions notes which variables were put in, and which could not be.
func (o *object) expansions(argv []string, literals map[string]string) {
	declared := map[string]bool{}
	for _, v := range o.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Env {
		declared[v.Name] = true
	}
	told := map[string]bool{}
	for _, m := range reference.FindAllStringSubmatch(strings.Join(argv, "\n"), -1) {
		name := m[1]
		_, known := literals[name]
		switch {
		case told[name] || !declared[name]:
			continue
		case known:
			o.say(Info, containerPath("command"), "$(%s) was replaced by the value of the variable, as Kubernetes does", name)
		default:
			o.say(Lost, containerPath("command"), "$(%s) is no longer replaced, because the value is not in the file: use $%s in a shell text", name, name)
		}
		told[name] = true
	}
}

// reference is $(NAME), or the two signs that stand for one.
var reference = regexp.MustCompile(`\$\$|\$\(([^)]*)\)`)

// expand replaces the references to variables that are known.
func expand(s string, literals map[string]string) string {
	return reference.ReplaceAllStringFunc(s, func(ref string) string {
		if ref == "$$" {
			return "$"
		}
		if value, ok := literals[ref[2:len(ref)-1]]; ok {
			return value
		}
		return ref
	})
}

// containerPath is the path of a field of the first container, whose place is that
// of the list.
func containerPath(field string) []string {
	return []string{"spec", "jobTemplate", "spec", "template", "spec", "containers", field}
}
