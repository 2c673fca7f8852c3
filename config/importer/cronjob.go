package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"
)

// maxNested is how many lists may stand in each other; kubectl makes one.
const maxNested = 4

// CronJob translates the objects of kind CronJob in one or more YAML documents, as
// "kubectl get cronjobs -o yaml" prints them. Objects of other kinds are noted and
// passed over. The error is about reading r, or about its first fault as YAML.
func CronJob(r io.Reader) (Result, error) {
	data, err := read(r)
	if err != nil {
		return Result{}, fmt.Errorf("kubernetes: %w", err)
	}
	m := &manifest{file: file{
		names: names{}, zone: "UTC",
		origin: "Made from CronJobs of Kubernetes by scheduler config import k8s; scheduler config validate checks it.",
	}}
	if err := m.documents(data); err != nil {
		return Result{}, fmt.Errorf("kubernetes: %w", err)
	}
	m.close()
	return m.result(), nil
}

// manifest is the objects of a file while they are read.
type manifest struct{ file }

// documents reads one document after the other. A panic of the parser is an error.
func (m *manifest) documents(data []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the YAML parser gave up: %v", p)
		}
	}()
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var doc yaml.Node
		switch err := dec.Decode(&doc); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		m.object(doc.Content[0], 0)
	}
}

// object translates n, which may be a list of objects.
func (m *manifest) object(n *yaml.Node, depth int) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return // nothing between two lines ---
	}
	kind := scalar(n, "kind")
	switch {
	case n.Kind != yaml.MappingNode || kind == "":
		m.note(n.Line, "", Lost, "is no object of Kubernetes: it has no kind")
	case kind == "List" || kind == "CronJobList":
		items := at(n, "items")
		if items == nil || items.Kind != yaml.SequenceNode || depth == maxNested {
			m.note(n.Line, "", Lost, "is a list without items")
			return
		}
		for _, item := range items.Content {
			m.object(item, depth+1)
		}
	case kind != "CronJob":
		m.note(n.Line, "", Info, "an object of kind %s is passed over", clean(kind))
	default:
		m.cronJob(n)
	}
}

// cronJob translates one CronJob.
func (m *manifest) cronJob(n *yaml.Node) {
	var c cronJob
	if err := n.Decode(&c); err != nil {
		m.note(n.Line, "", Lost, "the CronJob was left out: %s", decodeFault(err))
		m.remark(fmt.Sprintf("line %d: a CronJob that could not be read", n.Line))
		return
	}
	if v := c.APIVersion; v != "batch/v1" {
		m.note(n.Line, c.Metadata.Name, Info, "apiVersion %q is read as batch/v1", clean(v))
	}
	o := &object{manifest: m, node: n, cronJob: &c, draft: newDraft(n.Line, m.names.unique(c.Metadata.Name))}
	o.translate()
}

// decodeFault words what yaml says about a value of another type.
func decodeFault(err error) string {
	if wrong, ok := errors.AsType[*yaml.TypeError](err); ok && len(wrong.Errors) > 0 {
		return "a value is of the wrong type, in " + lineOnly(wrong.Errors[0])
	}
	return "it is not what a CronJob should be"
}

// lineOnly is the "line 7" of an error that goes on with the value.
func lineOnly(s string) string {
	var line int
	if _, err := fmt.Sscanf(s, "line %d:", &line); err != nil {
		return "a place that is not known"
	}
	return fmt.Sprintf("line %d", line)
}

// close notes what holds for all jobs.
func (m *manifest) close() {
	m.settle()
	if m.jobs == 0 {
		m.note(0, "", Lost, "there is no job in it")
		return
	}
	if slices.ContainsFunc(m.pieces, func(p piece) bool { return p.draft != nil && p.draft.zoneless }) {
		m.note(0, "", Changed, "where no timeZone is given, times are read in UTC; Kubernetes reads them in the zone of its controller")
	}
	for _, msg := range []string{
		"commands run inside the scheduler's own container, as its user and with its files: what they need must be there",
		"a run is ended after 1h unless timeout says otherwise; a Job without activeDeadlineSeconds has no limit (timeout: 0)",
		"a run that could not start in time starts up to 10m late unless startingDeadline says otherwise; a CronJob without startingDeadlineSeconds makes up for it at any time",
		"a run's lease ends soon after its replica died, and the run is not repeated (onHolderLost: rerun does); a Job starts another pod",
	} {
		m.note(0, "", Changed, "%s", msg)
	}
}

// at is what stands at a path below n, nil if nothing. Of a list it is the first item
// that is looked into.
func at(n *yaml.Node, path ...string) *yaml.Node {
	for _, key := range path {
		var below *yaml.Node
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		if n.Kind == yaml.SequenceNode && len(n.Content) > 0 {
			n = n.Content[0]
		}
		if n.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == key {
					below = n.Content[i+1]
				}
			}
		}
		if below == nil {
			return nil
		}
		n = below
	}
	return n
}

// scalar is the text at a path below n, "" if there is none.
func scalar(n *yaml.Node, path ...string) string {
	if found := at(n, path...); found != nil && found.Kind == yaml.ScalarNode {
		return found.Value
	}
	return ""
}
