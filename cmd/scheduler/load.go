package main

import (
	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

// kinds is what YAML can name: the built-in kinds and the functions of this
// program. A program of your own lists its functions here.
func kinds() []jobs.Kind {
	return jobs.Kinds(map[string]jobs.Func{
		seedName: seedDemo,
	})
}

// loadConfig reads the configuration at path.
func loadConfig(path string, over config.Overrides) (*config.Config, error) {
	cfg, err := config.Load(path, over, kinds())
	if err != nil {
		return nil, configError{err}
	}
	return cfg, nil
}
