package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/admin"
	"github.com/solocron/solocron/cmd/scheduler/internal/cli"
	"github.com/solocron/solocron/config"
)

// report writes what is wrong with files for programs: the same that the API answers
// where it checks a text, or a problem a line. That anything is wrong is its error.
func report(view *cli.View, files []string, strict bool) error {
	out := admin.Checked{Valid: true, Problems: []admin.Problem{}}
	for _, file := range files {
		for _, p := range problemsOf(file, time.Now()) {
			out.Problems = append(out.Problems, p)
			out.Valid = out.Valid && p.Warning && !strict
		}
	}
	var answer any = out
	if view.Format == cli.FormatLines {
		list := &cli.List{}
		for _, p := range out.Problems {
			text, err := json.Marshal(p)
			if err != nil {
				return fmt.Errorf("problems: %w", err)
			}
			list.Items = append(list.Items, text)
		}
		answer = list
	}
	if err := view.Machine(answer); err != nil {
		return err
	}
	if !out.Valid {
		return cli.Quit(cli.BadConfig)
	}
	return nil
}

// problemsOf is what is wrong with a file, and what is hardly meant; a file that cannot
// be read is one problem without a place.
func problemsOf(file string, now time.Time) []admin.Problem {
	cfg, err := loadConfig(file, config.Overrides{})
	faults, ok := errors.AsType[config.Faults](err)
	var list []admin.Problem
	switch {
	case ok:
		for _, f := range faults {
			list = append(list, admin.Problem{File: f.File, Line: f.Line, Col: f.Col, Path: f.Path, Message: f.Msg})
		}
	case err != nil:
		list = append(list, admin.Problem{File: file, Message: err.Error()})
	default:
		for _, w := range cfg.Warnings(now) {
			list = append(list, admin.Problem{File: file, Line: w.Line, Path: w.Path, Message: w.Msg, Warning: true})
		}
	}
	return list
}

// written has cmd write what it finds for people or, with -o, for programs.
func written(cmd *cobra.Command, wish *cli.Wish, formats ...cli.Format) {
	words := make([]string, len(formats))
	for i, f := range formats {
		words[i] = string(f)
	}
	cmd.Flags().StringVarP(&wish.Output, "output", "o", "", "one of "+strings.Join(words, ", ")+" (default $SOLOCRON_OUTPUT, or for people)")
	fixed(cmd, "output", words...)
}
