package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// man writes the page of a command for man. It holds no date, so that the same program
// makes the same pages.
func man(w io.Writer, cmd *cobra.Command) {
	name := page(cmd)
	fmt.Fprintf(w, ".TH %s 1 \"\" \"Solocron\"\n", quote(strings.ToUpper(name)))
	fmt.Fprintf(w, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	if cmd.Runnable() {
		fmt.Fprintf(w, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(cmd.UseLine()))
	}
	fmt.Fprintf(w, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(about(cmd)))
	if list := flags(cmd); len(list) > 0 {
		fmt.Fprint(w, ".SH OPTIONS\n")
		for _, f := range list {
			fmt.Fprintf(w, ".TP\n\\fB%s\\fR\n%s\n", roff(f[0]), roff(f[1]))
		}
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	var see []string
	if cmd.HasParent() {
		see = append(see, page(cmd.Parent()))
	}
	for _, sub := range shown(cmd) {
		see = append(see, page(sub))
	}
	for i, name := range see {
		see[i] = "\\fB" + roff(name) + "\\fR(1)"
	}
	if len(see) > 0 {
		fmt.Fprintf(w, ".SH SEE ALSO\n%s\n", strings.Join(see, ", "))
	}
}

// roff is text in which nothing is a request or an escape.
func roff(text string) string {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(strings.TrimRight(text, "\n"), `\`, `\e`), "-", `\-`), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func quote(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `""`) + `"` }
