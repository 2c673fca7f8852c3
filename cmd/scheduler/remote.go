package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// remoteHelp is said of every command that speaks to a replica.
const remoteHelp = "It asks the replica at --server, or $" + serverVar + ", or " + defaultServer + "; any will do.\n\n"

// remote is what the commands that speak to a replica share.
type remote struct {
	server string
	output string // "", table or json
}

// asking makes cmd a command that speaks to a replica.
func (r *remote) asking(cmd *cobra.Command) *cobra.Command {
	cmd.Long = cmd.Short + ".\n" + remoteHelp + cmd.Long + exitCodesHelp
	cmd.Flags().StringVar(&r.server, "server", "", "address of a replica (default $"+serverVar+" or "+defaultServer+")")
	return cmd
}

// showing makes cmd one that shows something, for people or as JSON.
func (r *remote) showing(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().StringVarP(&r.output, "output", "o", "table", "table or json")
	return r.asking(cmd)
}

// client returns who to ask.
func (r *remote) client() (*client, error) {
	if r.output != "" && r.output != "table" && r.output != "json" {
		return nil, usagef("-o %q is neither table nor json", clip(r.output))
	}
	return newClient(r.server)
}

// show gets what is at path and writes it as it is, or as table does with v.
func (r *remote) show(ctx context.Context, out io.Writer, path string, v any, table func(io.Writer) error) error {
	c, err := r.client()
	if err != nil {
		return err
	}
	var text json.RawMessage
	if err := c.get(ctx, path, &text); err != nil {
		return err
	}
	if r.output == "json" {
		return indented(out, text)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s does not answer as Solocron does: %w", c.base, err)
	}
	return table(out)
}

// indented writes v as JSON that people can read.
func indented(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
