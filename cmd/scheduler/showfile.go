package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/cmd/scheduler/internal/effective"
	"github.com/solocron/solocron/config"
)

// inForce is a configuration that is to be shown as a replica would run by it.
type inForce struct {
	wanted bool
	file   string
	set    map[string]string
}

// unused refuses flags that are of no use where the server is asked.
func (x *inForce) unused(cmd *cobra.Command) error {
	for _, name := range []string{"config", "set"} {
		if cmd.Flags().Changed(name) {
			return usagef("--%s is for --effective: the server has a file of its own", name)
		}
	}
	return nil
}

// show writes the file out as it is in force with this environment and these flags.
func (x *inForce) show(view *cli.View) error {
	over := config.Overrides{Env: os.LookupEnv, Flags: x.set}
	cfg, err := loadConfig(x.file, over)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(x.file)
	if err != nil {
		return configError{err}
	}
	source := effective.Source{Text: text, Loaded: cfg, Layout: config.Layout(kinds()), Env: over.Env, Flags: over.Flags}
	doc, err := source.Document()
	if err != nil {
		return configError{fmt.Errorf("%s: %w", x.file, err)}
	}
	switch view.Format {
	case cli.FormatJSON:
		var v any
		if err := doc.Decode(&v); err != nil {
			return fmt.Errorf("as JSON: %w", err)
		}
		return view.Machine(v)
	case cli.FormatTable, cli.FormatWide, cli.FormatYAML:
		return writeDocument(view.Out, doc, fmt.Sprintf("%s, revision %s; what has no comment is by default", x.file, cfg.Revision))
	case cli.FormatLines, cli.FormatName:
	}
	return usagef("-o %s: a configuration is shown as yaml or json", view.Format)
}

// writeDocument writes YAML below a comment.
func writeDocument(out io.Writer, doc *yaml.Node, head string) error {
	if _, err := fmt.Fprintf(out, "# %s\n", cli.OneLine(head)); err != nil {
		return err
	}
	e := yaml.NewEncoder(out)
	e.SetIndent(2)
	return errors.Join(e.Encode(doc), e.Close())
}
