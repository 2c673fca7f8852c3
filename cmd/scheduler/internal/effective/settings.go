package effective

import (
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// settings is the fields of the struct v, which stand at path in a file and of which
// written is what stands there. Said reports whether anybody said any of them. What is
// below a section is left out if nobody did: it is a thing that is not used.
func (w *writer) settings(v reflect.Value, path string, written *yaml.Node) (m *yaml.Node, said bool) {
	m = mapping()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if key == "" || key == "-" || !f.IsExported() || !w.room() {
			continue
		}
		at := strings.TrimPrefix(path+"."+key, ".")
		own := child(written, key)
		if f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[jobs.Secret]() {
			below, inside := w.settings(v.Field(i), at, own)
			if said = said || inside; (inside || path == "") && len(below.Content) > 0 {
				add(m, key, below)
			}
			continue
		}
		value, whence := w.setting(v.Field(i)), w.origin(at, own)
		if value == nil && whence != "" {
			value = none(f.Type) // somebody said so
		}
		said = said || whence != ""
		tell(m, key, value, whence)
	}
	return m, said
}

// setting is a value as a file has it; nil for none.
func (w *writer) setting(v reflect.Value) *yaml.Node {
	if !w.room() {
		return nil
	}
	switch x := v.Interface().(type) {
	case jobs.Secret:
		return secret(x)
	case time.Duration:
		if x == 0 {
			return nil // it says nothing, or is a fault where something else is not said
		}
		return plain(config.FormatDuration(x))
	case slog.Level:
		return plain(strings.ToLower(x.String()))
	case fmt.Stringer:
		return text(x.String())
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return w.setting(v.Elem())
	case reflect.Struct:
		m, _ := w.settings(v, "-", nil)
		return m
	case reflect.Slice:
		return w.list(v)
	case reflect.Map:
		return w.dictionary(v)
	case reflect.String:
		if v.Len() == 0 {
			return nil
		}
		return text(hideUser(v.String()))
	default:
		return plain(fmt.Sprint(v.Interface()))
	}
}

// none is a setting that says that there is nothing; nil if that is not said.
func none(t reflect.Type) *yaml.Node {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return plain("0s")
	case t.Kind() == reflect.String:
		return text("")
	}
	return nil
}

func (w *writer) list(v reflect.Value) *yaml.Node {
	if v.Len() == 0 {
		return nil
	}
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range v.Len() {
		if item := w.setting(v.Index(i)); item != nil {
			n.Content = append(n.Content, item)
		}
	}
	return n
}

func (w *writer) dictionary(v reflect.Value) *yaml.Node {
	if v.Len() == 0 {
		return nil
	}
	values := map[string]*yaml.Node{}
	for _, k := range v.MapKeys() {
		values[k.String()] = w.setting(v.MapIndex(k))
	}
	m := mapping()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		add(m, key, values[key])
	}
	return m
}

// secret says where a secret is, never what it is; nil for none.
func secret(s jobs.Secret) *yaml.Node {
	where := mapping()
	where.Style = yaml.FlowStyle
	switch {
	case s.Env != "":
		add(where, "env", text(s.Env))
	case s.File != "":
		add(where, "file", text(s.File))
	case s.Literal != "":
		return text(hidden)
	default:
		return nil
	}
	return where
}

// origin says what set the setting called key; "": nothing did.
func (w *writer) origin(key string, written *yaml.Node) string {
	if _, ok := w.source.Flags[key]; ok {
		return "--set"
	}
	for _, name := range variables(key) {
		if w.source.Env == nil {
			break
		}
		if value, ok := w.source.Env(name); ok && value != "" {
			return "$" + name
		}
	}
	if written != nil {
		return line(written)
	}
	return ""
}

// variables are those that set key, as package config names them.
func variables(key string) []string {
	var b strings.Builder
	b.WriteString("SCHEDULER_")
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	for i := range len(key) {
		if i > 0 && upper(key[i]) && !upper(key[i-1]) {
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
