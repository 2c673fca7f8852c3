package schedule

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for hosts without a zone database
)

// zoneNames holds the names of Go's embedded zone database, sorted, one a line.
//
//go:embed zones.txt
var zoneNames string

// Zones loads zones and keeps them, so that many jobs share one. The zero
// value is ready; it may be used by any number of goroutines at once.
type Zones struct {
	mu   sync.Mutex
	kept map[string]*time.Location
}

// Load returns the zone called name, as LoadZone does.
func (z *Zones) Load(name string) (*time.Location, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if loc, ok := z.kept[name]; ok {
		return loc, nil
	}
	loc, err := LoadZone(name)
	if err != nil {
		return nil, err
	}
	if z.kept == nil {
		z.kept = map[string]*time.Location{}
	}
	z.kept[name] = loc
	return loc, nil
}

// LoadZone returns the zone called name, which must be a name of the IANA
// database in its exact case. Local, offsets such as UTC+2 and paths are refused. Whether
// a name is known does not depend on the host.
func LoadZone(name string) (*time.Location, error) {
	if !knownZone(name) {
		return nil, unknownZone(name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	return loc, nil
}

// knownZone says whether name is in zoneNames, by halving it.
func knownZone(name string) bool {
	lo, hi := 0, len(zoneNames) // of lines: both at the beginning of one
	for lo < hi {
		start := strings.LastIndexByte(zoneNames[lo:(lo+hi)/2], '\n') + 1 + lo
		end := start + strings.IndexByte(zoneNames[start:], '\n')
		switch strings.Compare(name, zoneNames[start:end]) {
		case 0:
			return name != ""
		case -1:
			hi = start
		default:
			lo = end + 1
		}
	}
	return false
}

// unknownZone says why name is refused, with the nearest name there is.
func unknownZone(name string) error {
	shown := clip(name)
	switch {
	case name == "":
		return fmt.Errorf("time zone is empty: write one such as Europe/Berlin or UTC")
	case strings.EqualFold(name, "local"):
		return fmt.Errorf("time zone %q depends on the host: write one such as Europe/Berlin or UTC", shown)
	case strings.ContainsAny(name, `\.`) || strings.HasPrefix(name, "/"):
		return fmt.Errorf("time zone %q is a path: write a name such as Europe/Berlin", shown)
	}
	if near := nearZone(name); near != "" {
		return fmt.Errorf("time zone %q is unknown: did you mean %s?", shown, near)
	}
	return fmt.Errorf("time zone %q is unknown: write an IANA name such as Europe/Berlin or UTC, not an offset or an abbreviation", shown)
}
