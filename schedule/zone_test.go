package schedule_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/solocron/solocron/schedule"
)

func TestOnlyNamesOfTheDatabaseAreZones(t *testing.T) {
	t.Parallel()
	for name, hint := range map[string]string{
		"Europe/Berln":           "did you mean Europe/Berlin?",
		"europe/berlin":          "did you mean Europe/Berlin?",
		"Berlin":                 "did you mean Europe/Berlin?",
		"New York":               "did you mean America/New_York?",
		"utc":                    "did you mean UTC?",
		"Local":                  "depends on the host",
		"":                       "is empty",
		"UTC+2":                  "not an offset",
		"+02:00":                 "not an offset",
		"PST":                    "not an offset or an abbreviation",
		"../Europe/Berlin":       "is a path",
		"/usr/share/zoneinfo/GB": "is a path",
		"Factory":                "is unknown",
		"Africa/Abidjan\nAfrica": "is unknown",
		"\n":                     "is unknown",
		strings.Repeat("x", 999): "is unknown",
	} {
		zone, err := schedule.LoadZone(name)
		if err == nil || !strings.Contains(err.Error(), hint) || len(err.Error()) > 300 {
			t.Errorf("%.40q: got %v, %v, want an error with %q", name, zone, err, hint)
		}
	}
}

func TestEveryNameInTheListLoads(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("zones.txt")
	if err != nil {
		t.Fatal(err)
	}
	var zones schedule.Zones
	names := strings.Fields(string(text))
	if !slices.IsSorted(names) || len(names) < 590 {
		t.Fatalf("zones.txt: got %d names, sorted %v", len(names), slices.IsSorted(names))
	}
	for _, name := range names {
		zone, err := zones.Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if again, _ := zones.Load(name); again != zone || zone.String() != name {
			t.Errorf("%s: got %p named %s, then %p", name, zone, zone, again)
		}
	}
	if _, err := zones.Load("Europe/Berln"); err == nil {
		t.Error("Europe/Berln loads")
	}
}

// The list is made from the database that Go embeds; a new Go needs a new list.
func TestTheListIsThatOfTheEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("no go command to ask where the embedded database is: %v", err)
	}
	z, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatalf("no Go tree to compare with: %v", err)
	}
	defer z.Close()
	for _, f := range z.File {
		if f.Name == "Factory" || strings.HasSuffix(f.Name, "/") {
			continue
		}
		if _, err := schedule.LoadZone(f.Name); err != nil {
			t.Errorf("%v: run go generate", err)
		}
	}
}
