package telemetry

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// Build says which program this is.
type Build struct {
	Version  string // module version or pseudo-version; "devel" when there is none
	Revision string // commit; "unknown" when it was not stamped
	Go       string // toolchain
}

// They are set by the linker where the source is built outside of git, as in an image.
var version, revision string

// ReadBuild returns what the toolchain stamped into the running binary.
func ReadBuild() Build {
	b := Build{Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				b.Revision = s.Value
			}
		}
	}
	if b.Version == "(devel)" {
		b.Version = ""
	}
	b.Version = cmp.Or(version, b.Version, "devel")
	b.Revision = cmp.Or(revision, b.Revision, "unknown")
	return b
}
