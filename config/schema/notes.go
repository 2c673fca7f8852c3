package schema

import (
	"maps"
	"strconv"
)

// note is what the Go types cannot say of a key.
type note struct {
	is      string   // a description, for people
	must    bool     // it must be given, and may not be an empty list
	words   []string // all that may be written
	pattern string   // of the text
	least   string   // of a number
	most    string   // of a number; of characters that a pattern is for; of items and entries
	usual   string   // the default, where it is not the one of the type; none: not a fixed one
	such    []string // examples
}

// none as note.usual takes the default of the type away.
const none = "-"

// count is most as a number of characters, items or entries.
func (n note) count() *uint64 {
	count, err := strconv.ParseUint(n.most, 10, 64)
	if err != nil {
		return nil
	}
	return &count
}

// notes gathers the tables.
func notes() map[string]note {
	all := map[string]note{}
	for _, table := range []map[string]note{settingNotes(), adminNotes(), storeNotes(), sectionNotes(), jobNotes(), policyNotes(), linkNotes(), notifyNotes(), kindNotes()} {
		maps.Copy(all, table)
	}
	return all
}

const (
	namePattern = `^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$`
	nameLength  = "100"
)
