package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"text/template"
	"time"

	"github.com/solocron/solocron/config"
)

// webhook sends requests that a receiver of its own can read.
type webhook struct {
	poster   *poster
	settings config.Webhook
	body     *template.Template // nil: JSON
}

func newWebhook(c *config.Webhook, p *poster) (*webhook, error) {
	w := &webhook{poster: p, settings: *c}
	if c.Body == "" {
		return w, nil
	}
	var err error
	if w.body, err = config.ParseNotifyBody(c.Body); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return w, nil
}

// Send implements Sender.
func (w *webhook) Send(ctx context.Context, d *Delivery) error {
	body, err := w.render(d)
	if err != nil {
		return &RefusedError{err}
	}
	header := http.Header{}
	header.Set("Content-Type", "text/plain; charset=utf-8")
	if json.Valid(body) {
		header.Set("Content-Type", "application/json")
	}
	header.Set("Solocron-Delivery", d.ID)
	header.Set("Solocron-Try", strconv.Itoa(d.Try))
	if !w.settings.Secret.IsZero() {
		key, err := w.settings.Secret.Value()
		if err == nil && key == "" {
			err = errors.New("it is empty")
		}
		if err != nil {
			return fmt.Errorf("secret: %w", err)
		}
		header.Set(SignatureHeader, Sign([]byte(key), body, time.Now()))
	}
	return w.poster.send(ctx, &post{address: w.settings.URL, header: header, secrets: w.settings.Headers, body: body})
}

// document is the body where no template says otherwise.
type document struct {
	ID     string    `json:"id"`
	Title  string    `json:"title"`
	Text   string    `json:"text"`
	Events []Message `json:"events"` // one; more if they are told together
}

func (w *webhook) render(d *Delivery) ([]byte, error) {
	if w.body == nil {
		return json.Marshal(document{d.ID, d.Title(), d.Text(), d.Messages})
	}
	body, err := config.RenderNotifyBody(w.body, d.view())
	if err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return body, nil
}
