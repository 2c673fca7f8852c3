package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
)

const (
	completionLimit = time.Second // somebody has pressed a key and waits
	maxCompletions  = 500
)

// namesOf returns one member of each item of a list of the API; nothing if that is not
// to be had.
func namesOf(ctx context.Context, c *cli.Client, path, member string) []string {
	list, err := c.All(ctx, path, "pageSize", maxCompletions)
	if err != nil {
		return nil
	}
	var names []string
	for _, item := range list.Items {
		var members map[string]json.RawMessage
		var name string
		if json.Unmarshal(item, &members) == nil && json.Unmarshal(members[member], &name) == nil {
			names = append(names, name)
		}
	}
	return names
}

func jobsOf(ctx context.Context, c *cli.Client) []string {
	return namesOf(ctx, c, cli.Path("jobs"), "name")
}

// complete has the shell complete the first argument of cmd, as its use calls it:
// names of jobs that there are, or runs. Of a cancel only those that can be cancelled.
func complete(cmd *cobra.Command, r *remote) {
	words := strings.Fields(cmd.Use)
	if len(words) < 2 {
		return
	}
	path, member := "", ""
	switch strings.Trim(words[1], "[].…") {
	case "JOB":
		path, member = cli.Path("jobs"), "name"
	case "RUN", "RUN|JOB":
		path, member = cli.Path("runs"), "id"
		if words[0] == "cancel" || words[0] == "watch" {
			path = cli.Query(path, "status", "open")
		}
	case "LETTER":
		path, member = cli.Path("dead-letters"), "id"
	default:
		return
	}
	many := strings.HasSuffix(words[1], "…")
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 && !many {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return r.suggest(cmd, path, member, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// suggest asks the replica for what begins as somebody typed.
func (r *remote) suggest(cmd *cobra.Command, path, member, typed string) []string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), completionLimit)
	defer cancel()
	r.options.Env = os.Getenv
	c, err := cli.New(r.options)
	if err != nil {
		return nil
	}
	var names []string
	for _, name := range namesOf(ctx, c, path, member) {
		if strings.HasPrefix(name, typed) {
			names = append(names, cli.OneLine(name))
		}
	}
	return names
}

// fixed has the shell complete a flag from some words.
func fixed(cmd *cobra.Command, flag string, words ...string) {
	// The only error is that there is no such flag, which a test would see.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
