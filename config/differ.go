package config

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/solocron/solocron/jobs"
)

// differ compares values of one type and lists what differs, by its path in YAML.
type differ struct{ list []FieldChange }

const maxShownText = 80 // characters of a text in a FieldChange

// userinfo is the user and the password in an address.
var userinfo = regexp.MustCompile(`://[^/@\s]*@`)

// text notes two texts that differ.
func (d *differ) text(path, old, fresh string) {
	if old == fresh {
		return
	}
	shown := func(s string) string { return cut(userinfo.ReplaceAllString(s, "://[secret]@"), maxShownText) }
	before, after := shown(old), shown(fresh)
	if before == after { // the difference is in what is not shown
		after += " (another)"
	}
	d.list = append(d.list, FieldChange{path, before, after})
}

// structs compares two structs field by field; wanted, if not nil, picks the fields.
func (d *differ) structs(path string, a, b reflect.Value, wanted func(reflect.StructField) bool) {
	for i := range a.NumField() {
		f := a.Type().Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if !f.IsExported() || tag == "-" || wanted != nil && !wanted(f) {
			continue
		}
		d.values(below(path, f, tag), a.Field(i), b.Field(i))
	}
}

// below is the path of a field of what stands at path.
func below(path string, f reflect.StructField, tag string) string {
	switch name := inYAML(f.Name); {
	case tag != "":
		return strings.TrimPrefix(path+"."+tag, ".")
	case f.Name == "Argv", f.Name == "Text": // the whole setting of a kind
		return path
	case f.Anonymous && f.Type == reflect.TypeFor[jobs.Exec](): // fields of the job
		return ""
	case f.Anonymous:
		return path
	default:
		return strings.TrimPrefix(path+"."+name, ".")
	}
}

// inYAML is what YAML calls a field of package jobs.
func inYAML(name string) string {
	switch name {
	case "Overlap":
		return "overlapPolicy"
	case "Group":
		return "concurrencyGroup"
	case "LogLimit":
		return "logs.maxBytes"
	case "Dir":
		return "workingDir"
	case "StopGrace":
		return "stopGracePeriod"
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// values compares two values of one type.
func (d *differ) values(path string, a, b reflect.Value) {
	t := a.Type()
	switch {
	case isSecret(t):
		if a.Interface() != b.Interface() {
			d.text(path, fmt.Sprint(a.Interface()), different(a, b))
		}
	case isDuration(t):
		d.text(path, duration(a), duration(b))
	case t.Kind() == reflect.Struct:
		d.structs(path, a, b, nil)
	case t.Kind() == reflect.Map:
		d.maps(path, a, b)
	case t.Kind() == reflect.Pointer && t.Elem().PkgPath() == reflect.TypeFor[Config]().PkgPath():
		d.values(path, pointee(a), pointee(b))
	case t.Kind() == reflect.Func, t.Kind() == reflect.Interface, t.Kind() == reflect.Pointer:
		// Functions and databases: not from the file.
	default:
		d.text(path, shownValue(a), shownValue(b))
	}
}

// pointee is what p points at; the zero value for nil.
func pointee(p reflect.Value) reflect.Value {
	if p.IsNil() {
		return reflect.Zero(p.Type().Elem())
	}
	return p.Elem()
}

// different is the new secret in words that are not those of the old one.
func different(a, b reflect.Value) string {
	before, after := fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface())
	if before == after {
		return after + " (another)"
	}
	return after
}

// maps compares two maps with keys of text, entry by entry.
func (d *differ) maps(path string, a, b reflect.Value) {
	keys := map[string]bool{}
	for _, m := range []reflect.Value{a, b} {
		for _, k := range m.MapKeys() {
			keys[k.String()] = true
		}
	}
	entry := func(m reflect.Value, key string) reflect.Value {
		if v := m.MapIndex(reflect.ValueOf(key)); v.IsValid() {
			return v
		}
		return reflect.Zero(m.Type().Elem())
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		d.values(strings.TrimPrefix(path+"."+key, "."), entry(a, key), entry(b, key))
	}
}

func duration(v reflect.Value) string {
	length := time.Duration(v.Int())
	if length < 0 {
		return length.String()
	}
	return FormatDuration(length)
}

// shownValue writes a value that holds no secret.
func shownValue(v reflect.Value) string {
	if v.Kind() == reflect.Slice {
		items := make([]string, v.Len())
		for i := range items {
			items[i] = shownValue(v.Index(i))
		}
		return strings.Join(items, ", ")
	}
	if v.Kind() == reflect.Struct {
		var parts []string
		for _, field := range v.Fields() {
			if text := shownValue(field); text != "" {
				parts = append(parts, text)
			}
		}
		return strings.Join(parts, " ")
	}
	if isDuration(v.Type()) {
		return duration(v)
	}
	return fmt.Sprint(v.Interface())
}
