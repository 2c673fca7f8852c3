package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

// diffServer compares a file, which says after, with what the server runs by.
func (s *session) diffServer(file string, after *config.Config) error {
	var c admin.Config
	if err := s.get(cli.Path("config"), &c); err != nil {
		return err
	}
	if c.Loaded != nil && c.Loaded.Revision != "" && c.Loaded.Revision == after.Revision {
		return s.showChanges(nil)
	}
	if slices.Contains(c.Known, after.Revision) {
		return s.diffAs(cli.Call{Path: cli.Query(cli.Path("config", "diff"), "a", "running", "b", after.Revision)})
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return s.diffAs(cli.Call{Method: http.MethodPost, Path: cli.Query(cli.Path("config", "diff"), "name", filepath.Base(file)), Body: text, Again: true})
}

// diffAs shows what the server answers when it is asked to compare.
func (s *session) diffAs(call cli.Call) error {
	var d admin.Difference
	if err := s.do(call, &d); err != nil {
		return err
	}
	list := make([]config.Change, len(d.Changes))
	for i := range d.Changes {
		c := &d.Changes[i]
		list[i] = config.Change{Kind: kindOf(c.Kind), Job: c.Job, Line: c.Line, Before: momentOf(c.Before), After: momentOf(c.After)}
		for _, f := range c.Fields {
			list[i].Fields = append(list[i].Fields, config.FieldChange(f))
		}
	}
	return s.showChanges(list)
}

// kindOf is a kind of change by its word.
func kindOf(word string) config.ChangeKind {
	for _, k := range []config.ChangeKind{config.Added, config.Removed} {
		if k.String() == word {
			return k
		}
	}
	return config.Changed
}

// momentOf is a moment that may be missing; zero if it is.
func momentOf(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}
