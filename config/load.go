package config

import (
	"os"
	"reflect"
	"slices"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/schedule"
	"go.yaml.in/yaml/v3"
)

// Lookup finds an environment variable; os.LookupEnv is one.
type Lookup func(name string) (value string, ok bool)

// Overrides are settings that do not come from the file. Jobs cannot be overridden.
type Overrides struct {
	// Env is asked for SCHEDULER_REDIS_ADDR and the like, and for POD_NAME,
	// which names the replica. Nil: no environment. An empty variable counts
	// as not set.
	Env Lookup
	// Flags holds what the command line says, by key: "redis.addr". It wins
	// over the environment.
	Flags map[string]string
}

// Load reads the file at path, at most 64 MiB of it. Jobs may be of the given
// kinds. An error that is about the contents is of type Faults.
func Load(path string, over Overrides, kinds []jobs.Kind) (*Config, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return load(path, data, over, kinds)
}

// Parse is Load for a file that has been read: name stands for its path in
// faults. It looks at neither environment nor flags.
func Parse(name string, data []byte, kinds []jobs.Kind) (*Config, error) {
	return load(name, data, Overrides{}, kinds)
}

// loader holds what reading one file needs.
type loader struct {
	faults  *collector
	decoder *decoder
	config  *Config
	origins map[string]origin    // of the settings that are not at their default
	written map[string]string    // texts of the settings in the file, by key
	kinds   map[string]jobs.Kind // by the key that names them
	words   vocabulary
	zones   map[string]zone
	specs   map[spec]*schedule.Schedule
	names   map[string]int // line of each job's name

	calendars     map[string]*schedule.Calendar // by name; nil after a fault
	calendarLines map[string]int                // of each calendar's name

	policies policyFields   // of the jobs that do not say otherwise
	groups   map[string]int // line of each concurrency group's name
	links    links
	entry    entry // the job that is read: one place for all of them

	commons []common // what the defaults add to the hashes of jobs
}

func load(name string, data []byte, over Overrides, kinds []jobs.Kind) (*Config, error) {
	l := newLoader(name, kinds)
	l.config.Revision = revision(data)
	if top := l.top(data); top != nil {
		sections := l.sections(top)
		l.override(over)
		l.check()
		l.defaults(sections["defaults"])
		l.commons = commons(sections["defaults"])
		l.readCalendars(sections["calendars"])
		l.readGroups(sections["concurrencyGroups"])
		l.jobs(top, sections["jobs"])
		l.checkTermination()
	}
	if err := l.faults.err(); err != nil {
		return nil, err
	}
	return l.config, nil
}

func newLoader(name string, kinds []jobs.Kind) *loader {
	c := &collector{file: name}
	d := &decoder{faults: c, shapes: map[reflect.Type]*fields{}, named: map[string]bool{}}
	cfg := builtin()
	cfg.Replica = hostName()
	l := &loader{
		faults:  c,
		decoder: d,
		config:  cfg,
		origins: map[string]origin{},
		written: map[string]string{},
		kinds:   make(map[string]jobs.Kind, len(kinds)),
		words:   newVocabulary(d, kinds),
		zones:   map[string]zone{},
		specs:   map[spec]*schedule.Schedule{},
		names:   map[string]int{},

		calendars:     map[string]*schedule.Calendar{},
		calendarLines: map[string]int{},

		policies: builtinPolicies(),
		groups:   map[string]int{},
	}
	for _, k := range kinds {
		l.kinds[k.Name] = k
	}
	return l
}

func hostName() string {
	if name, err := os.Hostname(); err == nil && name != "" {
		return name
	}
	return "replica"
}

const noJobs = "there are no jobs: the file must hold a list of them below the key jobs"

// top returns the map that a file is, nil after a fault.
func (l *loader) top(data []byte) *yaml.Node {
	n := l.faults.document(data)
	switch {
	case len(l.faults.faults) > 0:
		return nil
	case n == nil, n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		l.faults.add(Fault{File: l.faults.file, Line: 1, Col: 1, Msg: noJobs})
	case n.Kind == yaml.SequenceNode:
		l.faults.at(n, nil, "the file is a list: put the key jobs: above it, and the list below that")
	case n.Kind != yaml.MappingNode:
		l.faults.at(n, nil, "the file must be a map with the key jobs, not %s", what(n))
	case l.faults.shape(n):
		return n
	}
	return nil
}

// sections decodes the settings and returns the other values at the top of the file.
func (l *loader) sections(top *yaml.Node) map[string]*yaml.Node {
	others := map[string]*yaml.Node{}
	shape := l.decoder.fields(reflect.TypeFor[Config]())
	for _, p := range l.decoder.pairs(top, nil, 0) {
		key := p.key.Value
		at := (*trail)(nil).key(key)
		index, known := shape.index[key]
		switch {
		case known:
			l.note(key, p.value)
			l.decoder.value(p.value, reflect.ValueOf(l.config).Elem().FieldByIndex(index), at)
		case slices.Contains(listSections(), key):
			others[key] = p.value
		case laterSection(key):
			l.faults.at(p.key, at, "comes with a later version")
		case slices.Contains(l.words.job, key):
			l.faults.at(p.key, at, "is no setting: it belongs into a job, or into defaults")
		default:
			l.faults.at(p.key, at, "is unknown%s", meant(key, append(slices.Clip(shape.names), listSections()...)))
		}
	}
	return others
}

// listSections returns the keys at the top of the file that are no settings.
func listSections() []string { return []string{"jobs", "defaults", "calendars", "concurrencyGroups"} }

// laterSection reports whether key is a section that is decided on but not built.
func laterSection(key string) bool {
	return key == "include"
}
