package config

import (
	"log/slog"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
	"go.yaml.in/yaml/v3"
)

const (
	maxText  = 1 << 20 // bytes of one value
	maxItems = 10_000  // entries of one list or map below a job or setting
)

// decoder fills Go values from YAML nodes, strictly, and reports what does not
// fit in the words of YAML.
type decoder struct {
	faults *collector
	shapes map[reflect.Type]*fields
	named  map[string]bool // the environment variables that hold a secret of the file
}

// fields is what the yaml tags of a struct type say.
type fields struct {
	names []string
	index map[string][]int
}

func isDuration(t reflect.Type) bool { return t == reflect.TypeFor[time.Duration]() }
func isSecret(t reflect.Type) bool   { return t == reflect.TypeFor[jobs.Secret]() }
func isLevel(t reflect.Type) bool    { return t == reflect.TypeFor[slog.Level]() }

// value fills v from n and reports whether it fits.
func (d *decoder) value(n *yaml.Node, v reflect.Value, at *trail) bool {
	n = target(n)
	if n.Style&yaml.TaggedStyle != 0 && !plainTag(n.Tag) {
		d.faults.at(n, at, "has the tag %s: tags are not supported", quote(n.Tag))
		return false
	}
	switch {
	case isSecret(v.Type()):
		return d.secret(n, v, at)
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.value(n, v.Elem(), at)
	case v.Kind() == reflect.Struct:
		return d.structure(n, v, at)
	case v.Kind() == reflect.Map:
		return d.dictionary(n, v, at)
	case v.Kind() == reflect.Slice:
		return d.list(n, v, at)
	}
	return d.scalar(n, v, at)
}

func plainTag(tag string) bool {
	switch tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq":
		return true
	}
	return false
}

// structure fills the struct v from the map n.
func (d *decoder) structure(n *yaml.Node, v reflect.Value, at *trail) bool {
	shape := d.fields(v.Type())
	if field, ok := short(n, v); ok {
		return d.value(n, v.FieldByIndex(shape.index[field]), at)
	}
	if n.Kind != yaml.MappingNode {
		d.faults.at(n, at, "must be a map with %s, not %s", listed(shape.names), what(n))
		return false
	}
	ok := true
	for _, p := range d.pairs(n, at, 0) {
		index, known := shape.index[p.key.Value]
		if !known {
			d.faults.at(p.key, at.key(p.key.Value), "is unknown%s", meant(p.key.Value, shape.names))
			ok = false
			continue
		}
		ok = d.value(p.value, v.FieldByIndex(index), at.key(p.key.Value)) && ok
	}
	return ok
}

// short reports whether n is a text that stands for one field of the struct v, and
// for which.
func short(n *yaml.Node, v reflect.Value) (field string, ok bool) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return "", false
	}
	s, ok := reflect.TypeAssert[shortForm](v.Addr())
	if !ok {
		return "", false
	}
	return s.short(), true
}

// fields returns what the yaml tags of t name. Embedded structs without a tag
// belong to the struct around them.
func (d *decoder) fields(t reflect.Type) *fields {
	if f, ok := d.shapes[t]; ok {
		return f
	}
	f := &fields{index: map[string][]int{}}
	for _, sf := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(sf.Tag.Get("yaml"), ",")
		if name == "" || name == "-" || !sf.IsExported() {
			continue
		}
		f.names = append(f.names, name)
		f.index[name] = sf.Index
	}
	d.shapes[t] = f
	return f
}

// dictionary fills the map v, whose keys are text, from the map n.
func (d *decoder) dictionary(n *yaml.Node, v reflect.Value, at *trail) bool {
	if n.Kind != yaml.MappingNode {
		d.faults.at(n, at, "must be a map of name: value, not %s", what(n))
		return false
	}
	if len(n.Content)/2 > maxItems {
		d.faults.at(n, at, "has %d entries: at most %d", len(n.Content)/2, maxItems)
		return false
	}
	list := d.pairs(n, at, 0)
	filled := reflect.MakeMapWithSize(v.Type(), len(list))
	ok := true
	for _, p := range list {
		item := reflect.New(v.Type().Elem()).Elem()
		key := reflect.New(v.Type().Key()).Elem()
		ok = d.scalar(p.key, key, at.key(p.key.Value)) && d.value(p.value, item, at.key(p.key.Value)) && ok
		filled.SetMapIndex(key, item)
	}
	v.Set(filled)
	return ok
}

// list fills the slice v. One scalar stands for a list of it.
func (d *decoder) list(n *yaml.Node, v reflect.Value, at *trail) bool {
	items := n.Content
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag != "!!null" && scalarItems(v.Type().Elem()):
		items = []*yaml.Node{n}
	case n.Kind != yaml.SequenceNode:
		d.faults.at(n, at, "must be a list, not %s", what(n))
		return false
	case len(items) > maxItems:
		d.faults.at(n, at, "has %d items: at most %d", len(items), maxItems)
		return false
	}
	filled := reflect.MakeSlice(v.Type(), len(items), len(items))
	ok := true
	for i, item := range items {
		ok = d.value(item, filled.Index(i), at.index(i)) && ok
	}
	v.Set(filled)
	return ok
}

// scalarItems reports whether a scalar can be an item of type t.
func scalarItems(t reflect.Type) bool {
	return t.Kind() == reflect.String || reflect.PointerTo(t).Implements(reflect.TypeFor[shortForm]())
}

// secret fills a jobs.Secret from text, { env: NAME } or { file: PATH }. No
// message repeats the text.
func (d *decoder) secret(n *yaml.Node, v reflect.Value, at *trail) bool {
	if n.Kind == yaml.ScalarNode {
		var s jobs.Secret
		ok := d.scalar(n, reflect.ValueOf(&s.Literal).Elem(), at)
		v.Set(reflect.ValueOf(s))
		return ok
	}
	var from struct {
		Env  string `yaml:"env"`
		File string `yaml:"file"`
	}
	if n.Kind != yaml.MappingNode {
		d.faults.at(n, at, "must be text, { env: NAME } or { file: PATH }, not %s", what(n))
		return false
	}
	if !d.structure(n, reflect.ValueOf(&from).Elem(), at) {
		return false
	}
	if (from.Env == "") == (from.File == "") {
		d.faults.at(n, at, "must be text, { env: NAME } or { file: PATH }")
		return false
	}
	if from.Env != "" {
		d.named[from.Env] = true
	}
	v.Set(reflect.ValueOf(jobs.Secret{Env: from.Env, File: from.File}))
	return true
}

// listed joins words for people, at most eight of them.
func listed(words []string) string {
	if len(words) > 8 {
		words = append(words[:8:8], strconv.Itoa(len(words)-8)+" more")
	}
	return strings.Join(words, ", ")
}
