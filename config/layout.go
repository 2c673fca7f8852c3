package config

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/solocron/solocron/jobs"
)

// Part is a piece of what a file may hold: what stands below one key, or an item
// of a list. It is for those who describe files, such as package schema.
type Part struct {
	Key     string   // the key it stands below; "" for an item
	Owner   string   // the Go struct of which it is a field: equal parts have equal owners and keys
	Form    Form     // how it is written
	Words   []string // TextForm: all that may be written; nil: any text
	Parts   []Part   // FieldsForm: what the keys are
	Short   string   // FieldsForm: the key that a text alone stands for; "": none
	Item    *Part    // ListForm, MapForm
	Single  bool     // ListForm: one item may stand without the list
	Null    bool     // it may be empty, which is as good as left out
	Kind    bool     // one of the keys of which a job has exactly one
	Default string   // as one would write it; "": none that is fixed
}

// Form is a way in which something is written.
type Form uint8

// The forms.
const (
	TextForm   Form = iota // anything that is neither list, map nor empty
	WholeForm              // a whole number
	NumberForm             // any number
	BoolForm               // true or false
	LengthForm             // a length of time such as 90s
	SizeForm               // a size such as 1Mi
	SecretForm             // a text, { env: NAME } or { file: PATH }
	ListForm
	MapForm    // keys of the writer's choice
	FieldsForm // the keys of Parts and no others
)

// Layout says what a file may hold, made from the very types that Load fills, so
// that no field can be missing from it.
func Layout(kinds []jobs.Kind) Part {
	l := layouter{newLoader("", kinds)}
	cfg := builtin()
	lease := cfg.Lease.Election().WithDefaults()
	cfg.Lease.TTL, cfg.Lease.RenewEvery, cfg.Lease.TryTimeout = lease.TTL, lease.RenewEvery, lease.Try
	cfg.Lease.StopGrace, cfg.Lease.Slack, cfg.Lease.LockDelay = lease.StopGrace, lease.Slack, lease.LockDelay

	top := Part{Form: FieldsForm, Parts: l.fields(reflect.ValueOf(cfg).Elem())}
	for _, section := range listSections() {
		p := Part{Key: section, Owner: "Config", Form: ListForm}
		switch section {
		case "defaults":
			p.Form, p.Parts = FieldsForm, slices.Concat(l.fields(reflect.ValueOf(cfg.Defaults)), l.fields(reflect.ValueOf(builtinPolicies())))
		case "calendars":
			p.Item = l.part(reflect.ValueOf(calendarFields{TimeZone: cfg.Defaults.TimeZone}))
		case "concurrencyGroups":
			p.Item = l.part(reflect.ValueOf(groupFields{Limit: 1}))
		case "jobs":
			p.Item = &Part{Form: FieldsForm, Parts: slices.Concat(l.job(cfg.Defaults), l.kinds(kinds))}
		}
		top.Parts = append(top.Parts, p)
	}
	return top
}

// layouter makes Parts of values that hold the defaults.
type layouter struct{ *loader }

// job is the fields of a job; those that fields reads in ways of their own are told so.
func (l layouter) job(d Defaults) []Part {
	parts := l.fields(reflect.ValueOf(jobFields{
		TimeZone: d.TimeZone, DST: d.DST, Timeout: d.Timeout, StartingDeadline: d.StartingDeadline, StopGracePeriod: d.StopGracePeriod,
		policyFields: builtinPolicies(), linkFields: linkFields{QueueLimit: 1, Mode: "active"},
	}))
	for i := range parts {
		switch p := &parts[i]; p.Key {
		case "schedule":
			p.Form, p.Single, p.Item = ListForm, true, &Part{Form: TextForm}
		case "startAt", "endAt":
			p.Null = true
		case "notify": // its defaults are those of the file
			l.forget(p)
		}
	}
	return parts
}

var errShown = errors.New("the settings were only to be shown")

// kinds is the settings of each kind, which has them decoded to be seen.
func (l layouter) kinds(kinds []jobs.Kind) []Part {
	parts := make([]Part, 0, len(kinds))
	for _, k := range kinds {
		p := Part{Form: TextForm}
		_, _ = build(k, func(into any) error { // its error is errShown
			if v := reflect.ValueOf(into); v.Kind() == reflect.Pointer && !v.IsNil() {
				_, argv := into.(*[]string)
				p = *l.part(v.Elem())
				p.Single = p.Single && !argv
				l.forget(&p)
			}
			return errShown
		})
		p.Key, p.Owner, p.Kind, p.Default = k.Name, "jobFields", true, ""
		parts = append(parts, p)
	}
	return parts
}

// forget takes the defaults out: a kind fills them in where it runs.
func (l layouter) forget(p *Part) {
	p.Default = ""
	for i := range p.Parts {
		l.forget(&p.Parts[i])
	}
	if p.Item != nil {
		l.forget(p.Item)
	}
}

// fields is what the keys of the struct v are.
func (l layouter) fields(v reflect.Value) []Part {
	shape := l.decoder.fields(v.Type())
	parts := make([]Part, 0, len(shape.names))
	for _, name := range shape.names {
		index := shape.index[name]
		p := l.part(v.FieldByIndex(index))
		p.Key, p.Owner = name, v.Type().Name()
		if len(index) > 1 { // of an embedded struct
			p.Owner = v.FieldByIndex(index[:len(index)-1]).Type().Name()
		}
		parts = append(parts, *p)
	}
	return parts
}

// part makes the same distinctions as decoder.value and decoder.fill.
func (l layouter) part(v reflect.Value) *Part {
	t := v.Type()
	zero := func() reflect.Value { return reflect.New(t.Elem()).Elem() }
	switch {
	case isSecret(t):
		return &Part{Form: SecretForm}
	case isDuration(t):
		return &Part{Form: LengthForm, Default: FormatDuration(time.Duration(v.Int()))}
	case isSize(t):
		return &Part{Form: SizeForm, Default: formatSize(v.Int())}
	case isLevel(t):
		return &Part{Form: TextForm, Words: []string{"debug", "info", "warn", "error"}, Default: "info"}
	case t.Implements(reflect.TypeFor[fmt.Stringer]()) && reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return &Part{Form: TextForm, Words: wordsOf(t), Default: fmt.Sprint(v.Interface())}
	case t.Kind() == reflect.Pointer:
		return l.part(zero())
	case t.Kind() == reflect.Struct:
		short, _ := reflect.TypeAssert[shortForm](reflect.New(t))
		p := &Part{Form: FieldsForm, Parts: l.fields(v)}
		if short != nil {
			p.Short = short.short()
		}
		return p
	case t.Kind() == reflect.Map:
		return &Part{Form: MapForm, Item: l.part(zero())}
	case t.Kind() == reflect.Slice:
		return &Part{Form: ListForm, Item: l.part(zero()), Single: scalarItems(t.Elem())}
	}
	return plainPart(v)
}

// plainPart is the Part of what reflection alone can tell.
func plainPart(v reflect.Value) *Part {
	switch {
	case v.Kind() == reflect.Bool:
		return &Part{Form: BoolForm, Default: strconv.FormatBool(v.Bool())}
	case v.CanInt():
		return &Part{Form: WholeForm, Default: strconv.FormatInt(v.Int(), 10)}
	case v.CanUint():
		return &Part{Form: WholeForm, Default: strconv.FormatUint(v.Uint(), 10)}
	case v.CanFloat():
		return &Part{Form: NumberForm, Default: strconv.FormatFloat(v.Float(), 'g', -1, 64)}
	}
	return &Part{Form: TextForm, Default: v.String()}
}

// wordsOf lists the words that a type such as StoreKind reads, in its order.
func wordsOf(t reflect.Type) []string {
	const most = 100
	var words []string
	for i := range uint64(most) {
		v := reflect.New(t)
		v.Elem().SetUint(i)
		word := fmt.Sprint(v.Elem().Interface())
		text, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v)
		if !ok || slices.Contains(words, word) || text.UnmarshalText([]byte(word)) != nil {
			break
		}
		words = append(words, word)
	}
	return words
}
