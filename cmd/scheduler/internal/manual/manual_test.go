package manual_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/solocron/solocron/cmd/scheduler/internal/manual"
)

func tree() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "tool", Short: "A tool", Run: run}
	sub := &cobra.Command{Use: "act NAME", Short: "Act on it", Long: "Act.\n.not a request\nback\\slash", Example: "  tool act x", Run: run}
	sub.Flags().IntP("number", "n", 5, "how many")
	sub.Flags().Bool("secretly", false, "nobody knows")
	_ = sub.Flags().MarkHidden("secretly")
	root.AddCommand(sub, &cobra.Command{Use: "old", Hidden: true, Run: run}, &cobra.Command{Use: "topic", Short: "A topic", Long: "What it is."})
	return root
}

func TestEachCommandThatIsNotHiddenHasAPage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form  manual.Form
		file  string
		wants []string
	}{
		"man":      {manual.Man(), "tool-act.1", []string{".TH \"TOOL\\-ACT\" 1 \"\" \"Solocron\"\n", "\n\\&.not a request\n", `back\eslash`, "\\fB\\-n, \\-\\-number int\\fR\nhow many (default 5)"}},
		"markdown": {manual.Markdown(), "tool-act.md", []string{"# tool act\n", "| `-n, --number int` | how many (default 5) |", "Part of [tool](tool.md)."}},
	} {
		dir := filepath.Join(t.TempDir(), "new", name)
		n, err := manual.Write(tree(), dir, c.form)
		if err != nil || n != 3 {
			t.Fatalf("%s: got %d pages, %v, want 3", name, n, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
		if strings.Contains(string(text), "secretly") {
			t.Errorf("%s: a hidden flag is shown", name)
		}
	}
}
