package config_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// probe is a kind whose settings have a field of every type a kind may have.
type probe struct {
	Text    string                 `yaml:"text"`
	Flag    bool                   `yaml:"flag"`
	Count   int                    `yaml:"count"`
	Big     int64                  `yaml:"big"`
	Small   uint8                  `yaml:"small"`
	Ratio   float64                `yaml:"ratio"`
	Wait    time.Duration          `yaml:"wait"`
	Key     jobs.Secret            `yaml:"key"`
	Map     map[string]string      `yaml:"map"`
	Secrets map[string]jobs.Secret `yaml:"secrets"`
	List    []string               `yaml:"list"`
	Numbers []int                  `yaml:"numbers"`
	Inner   inner                  `yaml:"inner"`
	Maybe   *inner                 `yaml:"maybe"`
	Many    []inner                `yaml:"many"`
	Ignored string
	embedded
	refuse error
}

type inner struct {
	A string `yaml:"a"`
	B int    `yaml:"b"`
}

type embedded struct {
	Shared string `yaml:"shared"`
}

func (*probe) Run(context.Context, jobs.Run) error { return nil }

func (p *probe) Validate() error { return p.refuse }

// probed decodes the settings of a probe written in flow style, such as "text: x, count: 3".
func probed(settings string) (*probe, error) {
	text := "jobs:\n- {name: a, schedule: '0 5 * * *', probe: {" + settings + "}}\n"
	cfg, err := config.Parse("c.yaml", []byte(text), []jobs.Kind{jobs.Define[probe]("probe")})
	if err != nil {
		return nil, err
	}
	return cfg.Jobs[0].Runner.(*probe), nil
}

func TestEveryTypeOfFieldIsDecoded(t *testing.T) {
	t.Parallel()
	got, err := probed(`text: hello, flag: true, count: -3, big: 9007199254740993, small: 255, ratio: 0.5, wait: 1d12h,
    key: {env: K}, map: {Path: /a, PATH: /b}, secrets: {X: lit, Y: {file: /f}}, list: one, numbers: [1, 2],
    inner: {a: x}, maybe: {b: 2}, many: [{a: p}, {a: q}], shared: s`)
	if err != nil {
		t.Fatal(err)
	}
	want := &probe{
		Text: "hello", Flag: true, Count: -3, Big: 9007199254740993, Small: 255, Ratio: 0.5, Wait: 36 * time.Hour,
		Key: jobs.Secret{Env: "K"}, Map: map[string]string{"Path": "/a", "PATH": "/b"},
		Secrets: map[string]jobs.Secret{"X": {Literal: "lit"}, "Y": {File: "/f"}},
		List:    []string{"one"}, Numbers: []int{1, 2},
		Inner: inner{A: "x"}, Maybe: &inner{B: 2}, Many: []inner{{A: "p"}, {A: "q"}},
		embedded: embedded{Shared: "s"},
	}
	if !reflect.DeepEqual(got, want) { //nolint:govet // its error field is nil in both
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestTextIsWhatIsWrittenWhateverYAMLTakesItFor(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"no": "no", "on": "on", "true": "true", "0755": "0755", "1_000": "1_000", "12:30": "12:30", "1.50": "1.50",
		"0x1F": "0x1F", "2026-11-29": "2026-11-29", "'~'": "~", "\"a\\tb\\nc\"": "a\tb\nc", "\"\"": "", ".inf": ".inf", "!!str 5": "5",
	} {
		got, err := probed("text: " + written)
		if err != nil {
			t.Errorf("%s: %v", written, err)
		} else if got.Text != want {
			t.Errorf("%s: got %q, want %q", written, got.Text, want)
		}
	}
}

func TestWhatDoesNotFitIsNamedInTheWordsOfYAML(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		"text: [a]":                   "probe.text must be text, not a list",
		"text: {a: b}":                "probe.text must be text, not a map",
		"text: ~":                     `probe.text has no value: write "" for an empty text`,
		"text: \"a\\0\"":              `probe.text holds the control character '\x00'`,
		"text: !x y":                  `probe.text has the tag "!x": tags are not supported`,
		"flag: yes":                   `probe.flag "yes" is neither true nor false`,
		"flag: ~":                     "probe.flag has no value: write true or false",
		"count: x":                    `probe.count "x" is not a whole number, or too large`,
		"count: 1.0":                  `probe.count "1.0" is not a whole number, or too large`,
		"count: 010":                  `probe.count "010" begins with 0, which some read as octal: write it without`,
		"count: 99999999999999999999": `probe.count "99999999999999999999" is not a whole number, or too large`,
		"small: 256":                  `probe.small "256" is not a whole number from 0 up`,
		"small: -1":                   `probe.small "-1" is not a whole number from 0 up`,
		"ratio: .nan":                 `probe.ratio ".nan" is not a number`,
		"ratio: nan":                  `probe.ratio "nan" is not a number`,
		"wait: 90":                    `probe.wait "90" lacks a unit: write 90s for seconds`,
		"key: [a]":                    "probe.key must be text, { env: NAME } or { file: PATH }, not a list",
		"key: {}":                     "probe.key must be text, { env: NAME } or { file: PATH }",
		"key: {env: A, file: B}":      "probe.key must be text, { env: NAME } or { file: PATH }",
		"key: {value: A}":             "probe.key.value is unknown",
		"map: [a]":                    "probe.map must be a map of name: value, not a list",
		"map: {a: ~}":                 `probe.map.a has no value: write "" for an empty text`,
		"map: {[a]: b}":               "probe.map a key must be text, not a list",
		"secrets: {A: {b: c}}":        "probe.secrets.A.b is unknown",
		"list: {a: b}":                "probe.list must be a list, not a map",
		"list: ~":                     "probe.list must be a list, not empty",
		"numbers: 1":                  "probe.numbers must be a list, not a number",
		"numbers: [1, x]":             `probe.numbers[1] "x" is not a whole number, or too large`,
		"inner: x":                    "probe.inner must be a map with a, b, not text",
		"maybe: {a: x, c: 1}":         "probe.maybe.c is unknown: did you mean a?",
		"many: [{a: p}, {a: [q]}]":    "probe.many[1].a must be text, not a list",
		"hidden: x":                   "probe.hidden is unknown",
		"Ignored: x":                  "probe.Ignored is unknown",
		"tetx: x":                     "probe.tetx is unknown: did you mean text?",
		"TEXT: x":                     "probe.TEXT is unknown: did you mean text?",
	} {
		_, err := probed(settings)
		_, got, _ := strings.Cut(fmt.Sprint(err), "jobs[a].")
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", settings, got, want)
		}
	}
}

// refusing is a kind that finds fault with good settings.
func refusing(err error) jobs.Kind {
	return jobs.Kind{Name: "probe", New: func(decode func(any) error) (jobs.Runner, error) {
		var p probe
		if e := decode(&p); e != nil {
			return nil, e
		}
		return nil, err
	}}
}

func TestAFieldErrorIsPlacedAtItsField(t *testing.T) {
	t.Parallel()
	const text = `jobs:
  - name: a
    schedule: "0 5 * * *"
    probe:
      text: x
      map:
        a.b: 1
      many:
        - a: p
        - a: q
`
	kind := refusing(errors.Join(
		&jobs.FieldError{Field: "text", Msg: "m1"},
		fmt.Errorf("wrapped: %w", &jobs.FieldError{Field: "map.a.b", Msg: "m2"}),
		errors.Join(&jobs.FieldError{Field: "many[1].a", Msg: "m3"}, &jobs.FieldError{Field: "many.0.a", Msg: "m4"}),
		&jobs.FieldError{Field: "inner.a", Msg: "m5"},
		&jobs.FieldError{Msg: "m6"},
		errors.New("m7"),
	))
	_, err := config.Parse("c.yaml", []byte(text), []jobs.Kind{kind})
	const want = `c.yaml:5:7 jobs[a].probe.inner.a m5
c.yaml:5:7 jobs[a].probe m6
c.yaml:5:7 jobs[a].probe m7
c.yaml:5:13 jobs[a].probe.text m1
c.yaml:7:14 jobs[a].probe.map.a.b m2
c.yaml:9:14 jobs[a].probe.many.0.a m4
c.yaml:10:14 jobs[a].probe.many[1].a m3`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAKindThatPanicsIsAFaultOfItsJob(t *testing.T) {
	t.Parallel()
	kind := jobs.Kind{Name: "probe", New: func(func(any) error) (jobs.Runner, error) { panic("boom") }}
	_, err := config.Parse("c.yaml", []byte("jobs: [{name: a, schedule: '0 5 * * *', probe: x}]"), []jobs.Kind{kind})
	if got, want := fmt.Sprint(err), "c.yaml:1:48 jobs[a].probe the kind probe panicked on these settings"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
