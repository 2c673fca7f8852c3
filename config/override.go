package config

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// origin says where a setting comes from, for faults.
type origin struct {
	file      string
	line, col int
	path      string
}

// leaf is one setting: a key such as redis.addr and the field it sets.
type leaf struct {
	key   string
	index []int
}

// leaves lists the settings below t.
func (d *decoder) leaves(t reflect.Type, prefix string, above []int) []leaf {
	var list []leaf
	shape := d.fields(t)
	for _, name := range shape.names {
		index := append(slices.Clone(above), shape.index[name]...)
		field := t.FieldByIndex(shape.index[name])
		if field.Type.Kind() == reflect.Struct && !isSecret(field.Type) {
			list = append(list, d.leaves(field.Type, prefix+name+".", index)...)
			continue
		}
		list = append(list, leaf{prefix + name, index})
	}
	return list
}

// variables returns the environment variables that set key, the first that is set wins:
// admin.oidc.clientID is set by SCHEDULER_ADMIN_OIDC_CLIENT_ID.
func variables(key string) []string {
	var b strings.Builder
	b.WriteString("SCHEDULER_")
	upper := func(i int) bool { return key[i] >= 'A' && key[i] <= 'Z' }
	for i := range len(key) {
		if i > 0 && upper(i) && !upper(i-1) {
			b.WriteByte('_')
		}
		b.WriteByte(key[i])
	}
	name := strings.ToUpper(strings.ReplaceAll(b.String(), ".", "_"))
	if key == "replica" {
		return []string{name, "POD_NAME"}
	}
	return []string{name}
}

// note remembers where the file sets key, and what stands below it.
func (l *loader) note(key string, n *yaml.Node) {
	l.origins[key] = origin{l.faults.file, n.Line, n.Column, key}
	if n.Kind == yaml.ScalarNode {
		l.written[key] = n.Value
	}
	if n.Kind == yaml.SequenceNode {
		for i, item := range n.Content[:min(len(n.Content), maxAddrs)] {
			l.note(itemKey(key, i), target(item))
		}
	}
	if n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := target(n.Content[i]); k.Kind == yaml.ScalarNode {
			l.note(key+"."+k.Value, target(n.Content[i+1]))
		}
	}
}

// itemKey is the key of the ith item of a list.
func itemKey(key string, i int) string { return key + "[" + strconv.Itoa(i) + "]" }

// override lays environment and flags over the settings of the file. Viper
// decides which of them counts; the text it answers with is read as strictly as
// the file was.
func (l *loader) override(over Overrides) {
	settings := reflect.ValueOf(l.config).Elem()
	list := l.decoder.leaves(settings.Type(), "", nil)
	v, err := l.merged(list, over)
	if err != nil {
		l.faults.add(Fault{File: l.faults.file, Msg: err.Error()})
		return
	}
	for _, f := range list {
		if !v.IsSet(f.key) {
			continue
		}
		msg := l.decoder.decodeText(v.GetString(f.key), settings.FieldByIndex(f.index))
		if msg != "" && l.origins[f.key].file != l.faults.file { // the file's own fault is known
			l.blame(f.key, msg)
		}
	}
}

// merged returns a viper that holds the texts of the file, over them those of
// the environment, over all those of the flags.
func (l *loader) merged(list []leaf, over Overrides) (*viper.Viper, error) {
	v := viper.New()
	file, env := map[string]any{}, map[string]any{}
	for _, f := range list {
		if text, ok := l.written[f.key]; ok {
			nest(file, f.key, text)
		}
		for _, name := range variables(f.key) {
			if text, ok := lookup(over.Env, name); ok {
				nest(env, f.key, text)
				l.origins[f.key] = origin{file: "environment", path: name}
				break
			}
		}
	}
	if err := v.MergeConfigMap(file); err != nil {
		return nil, err
	}
	if err := v.MergeConfigMap(env); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(over.Flags)) {
		if !slices.ContainsFunc(list, func(f leaf) bool { return f.key == key }) {
			l.faults.add(Fault{File: "flags", Path: key, Msg: "is no setting"})
			continue
		}
		v.Set(key, over.Flags[key])
		l.origins[key] = origin{file: "flags", path: key}
	}
	return v, nil
}

// nest sets key, a path with dots, in m.
func nest(m map[string]any, key, text string) {
	section, rest, ok := strings.Cut(key, ".")
	if !ok {
		m[key] = text
		return
	}
	below, ok := m[section].(map[string]any)
	if !ok {
		below = map[string]any{}
		m[section] = below
	}
	nest(below, rest, text)
}

func lookup(env Lookup, name string) (string, bool) {
	if env == nil {
		return "", false
	}
	text, ok := env(name)
	return text, ok && text != ""
}

// blame adds a fault at the place that set key.
func (l *loader) blame(key, msg string) {
	o, ok := l.origins[key]
	if !ok {
		o = origin{file: l.faults.file, path: key}
	}
	l.faults.add(Fault{File: o.file, Line: o.line, Col: o.col, Path: o.path, Msg: msg})
}
