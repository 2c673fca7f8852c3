package main

import (
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/guard"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/postgres"
	"github.com/solocron/solocron/jobs/sqlite"
)

// kinds is what YAML can name: the built-in kinds, the functions of this
// program and the databases it can use. Commands run under a guard of this
// program. A program of your own lists its here.
func kinds() []jobs.Kind {
	return jobs.Guarded(guard.Self(), jobs.Kinds(map[string]jobs.Func{
		seedName: seedDemo,
	}, sqlite.Database(), postgres.Database()))
}

// loadConfig reads the configuration at path.
func loadConfig(path string, over config.Overrides) (*config.Config, error) {
	cfg, err := config.Load(path, over, kinds())
	if err != nil {
		return nil, configError{err}
	}
	return cfg, nil
}
