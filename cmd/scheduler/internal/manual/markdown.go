package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// markdown writes the page of a command in Markdown.
func markdown(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "# %s\n\n%s.\n\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."))
	if cmd.Runnable() {
		block(w, cmd.UseLine())
	}
	block(w, about(cmd))
	if cmd.Example != "" {
		fmt.Fprint(w, "## Examples\n\n")
		block(w, cmd.Example)
	}
	if list := flags(cmd); len(list) > 0 {
		fmt.Fprint(w, "## Options\n\n| option | |\n|---|---|\n")
		for _, f := range list {
			fmt.Fprintf(w, "| `%s` | %s |\n", f[0], strings.ReplaceAll(f[1], "|", `\|`))
		}
		fmt.Fprintln(w)
	}
	if cmd.HasParent() {
		fmt.Fprintf(w, "Part of [%s](%s.md).\n\n", cmd.Parent().CommandPath(), page(cmd.Parent()))
	}
	for _, sub := range shown(cmd) {
		fmt.Fprintf(w, "- [%s](%s.md): %s\n", sub.CommandPath(), page(sub), sub.Short)
	}
}

// block writes text as it is.
func block(w io.Writer, text string) {
	fmt.Fprintf(w, "```\n%s\n```\n\n", strings.TrimRight(text, "\n"))
}
