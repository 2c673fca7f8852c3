package config_test

import (
	"os"
	"strings"
	"testing"

	"github.com/solocron/solocron/config"
)

func TestEachExampleOfTheNotificationsIsAGoodFile(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../docs/notifications.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for i, part := range strings.Split(string(doc), "```yaml\n") {
		if i == 0 {
			continue
		}
		text, _, _ := strings.Cut(part, "```")
		examples++
		if _, err := config.Parse("notifications.md", []byte(text), kinds()); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	}
	if examples < 6 {
		t.Errorf("found %d examples, want those of all channels", examples)
	}
}
