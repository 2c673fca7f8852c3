package main

import (
	"encoding/json"
	"time"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

// changeRow is what became of a job, in the form that -o json has.
type changeRow struct {
	Change string      `json:"change"`
	Job    string      `json:"job,omitempty"` // left out: the settings
	Line   int         `json:"line,omitempty"`
	Fields []fieldDiff `json:"fields"`
	Before time.Time   `json:"nextBefore,omitzero"`
	After  time.Time   `json:"nextAfter,omitzero"`
}

type fieldDiff struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// changesOf is a list of changes like those of the API.
func changesOf(list []config.Change) *cli.List {
	out := &cli.List{}
	for i := range list {
		c := &list[i]
		x := changeRow{Change: c.Kind.String(), Job: c.Job, Line: c.Line, Fields: []fieldDiff{}, Before: c.Before, After: c.After}
		for _, f := range c.Fields {
			x.Fields = append(x.Fields, fieldDiff(f))
		}
		text, err := json.Marshal(x)
		if err != nil { // a year after 9999 only
			continue
		}
		out.Items = append(out.Items, text)
	}
	return out
}
