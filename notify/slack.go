package notify

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/solocron/solocron/config"
)

// maxSlackText is how many bytes of text are sent: receivers cut what is longer, in
// the middle of a character if need be.
const maxSlackText = 3000

// slack sends what Slack's incoming webhooks take, as Mattermost's and others do.
type slack struct {
	poster   *poster
	settings config.Slack
}

// Send implements Sender.
func (s *slack) Send(ctx context.Context, d *Delivery) error {
	body, err := json.Marshal(map[string]string{"text": slackText(d)})
	if err != nil {
		return &RefusedError{fmt.Errorf("body: %w", err)}
	}
	header := http.Header{"Content-Type": {"application/json"}}
	return s.poster.send(ctx, &post{address: s.settings.URL, header: header, body: body})
}

// slackText is d in Slack's markup, of which texts from jobs must not be taken for: a
// < begins a link or calls everybody in the room.
func slackText(d *Delivery) string {
	plain := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "'")
	text := "*" + plain.Replace(d.Title()) + "*"
	if body := short(d.Text(), maxSlackText); body != "" {
		text += "\n```\n" + plain.Replace(body) + "\n```"
	}
	return text
}
