package daemon

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/solocron/solocron/election/redislease/preflight"
)

// zones says which time zone data this process reads. Replicas that read different
// ones compute different ticks for a while after a country changes its rules.
func zones() preflight.Row {
	const check = "tzdata"
	if _, err := time.LoadLocation("Europe/Berlin"); err != nil {
		return preflight.Row{
			Check: check, State: preflight.Fail, Found: "no time zones can be read",
			Fix: "install tzdata",
		}
	}
	for _, dir := range zoneDirs() {
		if _, err := os.Stat(filepath.Join(dir, "Europe", "Berlin")); err != nil {
			continue
		}
		if version := zoneVersion(dir); version != "" {
			return preflight.Row{Check: check, State: preflight.OK, Found: version + " in " + dir}
		}
		return preflight.Row{
			Check: check, State: preflight.Unknown, Found: dir + ", which does not tell its version",
			Fix: "make sure that all replicas have the same",
		}
	}
	return preflight.Row{Check: check, State: preflight.OK, Found: "that of " + runtime.Version() + ", built into the program"}
}

// zoneDirs lists where Go looks for zones, in its order.
func zoneDirs() []string {
	dirs := []string{"/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/usr/lib/locale/TZ", "/etc/zoneinfo"}
	if own := os.Getenv("ZONEINFO"); own != "" {
		return append([]string{own}, dirs...)
	}
	return dirs
}

const maxVersion = 100 // bytes of a file that are looked at for the version

// zoneVersion finds the release of the data in dir, such as 2026a; "" if it is not told.
func zoneVersion(dir string) string {
	for _, name := range []string{"+VERSION", "tzdata.zi"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		line, _ := bufio.NewReader(io.LimitReader(f, maxVersion)).ReadString('\n') // a file may be one line without an end
		f.Close()
		if version := strings.TrimSpace(strings.TrimPrefix(line, "# version ")); version != "" && !strings.ContainsAny(version, " #") {
			return version
		}
	}
	return ""
}
