package manual

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Form is a way to write pages.
type Form struct {
	suffix string
	write  func(w io.Writer, cmd *cobra.Command)
}

// Man is pages of section 1 for man.
func Man() Form { return Form{".1", man} }

// Markdown is pages in Markdown, linked to each other.
func Markdown() Form { return Form{".md", markdown} }

// Write makes the pages of root and of every command below it that is not hidden, in
// dir, which it makes if need be. It returns how many there are.
func Write(root *cobra.Command, dir string, form Form) (int, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // pages are for everybody
		return 0, err
	}
	n := 0
	var walk func(cmd *cobra.Command) error
	walk = func(cmd *cobra.Command) error {
		var text strings.Builder
		form.write(&text, cmd)
		if err := os.WriteFile(filepath.Join(dir, page(cmd)+form.suffix), []byte(text.String()), 0o644); err != nil { //nolint:gosec // see above
			return err
		}
		n++
		for _, sub := range shown(cmd) {
			if err := walk(sub); err != nil {
				return err
			}
		}
		return nil
	}
	return n, walk(root)
}

// page is the name of a command's page.
func page(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// shown are the commands below cmd that have a page.
func shown(cmd *cobra.Command) []*cobra.Command {
	var list []*cobra.Command
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			list = append(list, sub)
		}
	}
	return list
}

// about is what a command says of itself.
func about(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return cmd.Long
}

// flags are those of a command that are not hidden: how each is written, and what it
// does.
func flags(cmd *cobra.Command) [][2]string {
	var list [][2]string
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		if kind != "" {
			name += " " + kind
		}
		if !strings.Contains(usage, "(default") && f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "[]" {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		list = append(list, [2]string{name, usage})
	})
	return list
}
