package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/telemetry"
)

// remoteHelp is said of every command that speaks to a replica.
const remoteHelp = "It asks the replica at --server, or $SOLOCRON_SERVER, or " + cli.DefaultServer + "; any will do.\n\n"

// remoteCodes ends their help.
const remoteCodes = `"scheduler help exit-codes" and "scheduler help environment" say more.`

// remote is what the commands that speak to a replica share.
type remote struct {
	options cli.Options
	wish    cli.Wish
	yes     bool
}

// asking makes cmd a command that speaks to a replica.
func (r *remote) asking(cmd *cobra.Command) *cobra.Command {
	cmd.Long = cmd.Short + ".\n" + remoteHelp + cmd.Long + remoteCodes
	r.reaching(cmd)
	complete(cmd, r)
	return cmd
}

// reaching gives cmd the flags that say how to reach a replica.
func (r *remote) reaching(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.options.Server, "server", "", "address of a replica: http://host:port, https://..., unix:///path (default $SOLOCRON_SERVER or "+cli.DefaultServer+")")
	f.StringVar(&r.options.TokenFile, "token-file", "", "file with the token to sign in with (default $SOLOCRON_TOKEN_FILE, or the token in $SOLOCRON_TOKEN)")
	f.StringVar(&r.options.Papers.CA, "ca-file", "", "file of the authorities to trust in PEM, for https:// (default $SOLOCRON_CA_FILE or those of the system)")
	f.StringVar(&r.options.Papers.Cert, "client-cert", "", "file of the certificate to sign in with in PEM; needs --client-key (default $SOLOCRON_CLIENT_CERT)")
	f.StringVar(&r.options.Papers.Key, "client-key", "", "file of its key (default $SOLOCRON_CLIENT_KEY)")
	f.DurationVar(&r.options.Timeout, "request-timeout", cli.DefaultTimeout, "how long one request may take; waiting for a run is many")
	f.BoolVarP(&r.wish.Quiet, "quiet", "q", false, "no progress and no notes on stderr")
	f.BoolVarP(&r.options.Verbose, "verbose", "v", false, "what the server says is wrong comes with its status and the ID of the request")
}

// showing makes cmd one that shows something in one of several formats.
func (r *remote) showing(cmd *cobra.Command) *cobra.Command {
	f := cmd.Flags()
	f.StringVarP(&r.wish.Output, "output", "o", "", "table, wide, json, jsonl, yaml or name (default $SOLOCRON_OUTPUT or table)")
	f.StringVar(&r.wish.Time, "time", "", "how times are written: relative, iso or utc (default relative on a terminal, else iso)")
	f.StringVar(&r.wish.Zone, "tz", "", "time zone to write times in, an IANA name (default $SOLOCRON_TZ, or that of each time)")
	f.StringVar(&r.wish.Color, "color", "auto", "auto, always or never; auto heeds NO_COLOR and TERM=dumb")
	f.BoolVar(&r.wish.NoHeaders, "no-headers", false, "no line above the columns")
	fixed(cmd, "output", cli.Formats()...)
	fixed(cmd, "time", "relative", "iso", "utc")
	fixed(cmd, "color", "auto", "always", "never")
	return r.asking(cmd)
}

// view is how r wants answers of cmd written.
func (r *remote) view(cmd *cobra.Command) (*cli.View, error) {
	return r.wish.View(cmd.OutOrStdout(), cmd.ErrOrStderr(), os.Getenv, time.Now)
}

// session is one command that speaks to a replica.
type session struct {
	*cli.Client
	view *cli.View
	cmd  *cobra.Command
	yes  bool
	job  string // that the command is about, for hints; may be empty
}

// open begins a session for cmd.
func (r *remote) open(cmd *cobra.Command) (*session, error) {
	view, err := r.view(cmd)
	if err != nil {
		return nil, err
	}
	r.options.Env, r.options.Agent = os.Getenv, "scheduler/"+telemetry.ReadBuild().Version
	r.options.Waiting = func(err error, pause time.Duration) {
		if pause >= time.Second {
			view.Note("%v; again in %s", err, pause.Round(time.Millisecond))
		}
	}
	client, err := cli.New(r.options)
	if err != nil {
		return nil, err
	}
	return &session{Client: client, view: view, cmd: cmd, yes: r.yes}, nil
}

// do sends one request, and says so when it takes long.
func (s *session) do(call cli.Call, v any) error {
	p := s.view.Progress("waiting for " + s.Server())
	err := s.Do(s.cmd.Context(), call, v)
	p.End()
	return s.hint(err)
}

// get reads what is at path.
func (s *session) get(path string, v any) error { return s.do(cli.Call{Path: path}, v) }

// hintLimit is how long a hint may take.
const hintLimit = time.Second

// hint adds to an error about a job that there is none the name that may be meant.
func (s *session) hint(err error) error {
	p, ok := errors.AsType[*cli.ProblemError](err)
	if !ok || s.job == "" || p.Kind() != "job-not-found" {
		return err
	}
	ctx, cancel := context.WithTimeout(s.cmd.Context(), hintLimit)
	defer cancel()
	if near := cli.Nearest(s.job, jobsOf(ctx, s.Client)); near != "" {
		p.Hint = "; did you mean " + near + "?"
	}
	return err
}

// confirm asks whether something may be done, unless --yes says so.
func (s *session) confirm(what string) error {
	switch {
	case s.yes:
		return nil
	case !cli.Terminal(s.cmd.InOrStdin()) || !s.view.Live:
		return usagef("%s: this asks first, and there is no terminal to ask on; say --yes", what)
	}
	fmt.Fprintf(s.view.Err, "%s? [y/N] ", cli.OneLine(what))
	line, err := bufio.NewReader(s.cmd.InOrStdin()).ReadString('\n')
	if err == nil && (strings.EqualFold(strings.TrimSpace(line), "y") || strings.EqualFold(strings.TrimSpace(line), "yes")) {
		return nil
	}
	return errors.New("nothing was done")
}

// asksFirst gives cmd the flag that answers what it asks.
func (r *remote) asksFirst(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&r.yes, "yes", "y", false, "do not ask; needed where there is no terminal")
}
