package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// List is the answer of a list, perhaps of several pages.
type List struct {
	Items []json.RawMessage
	Next  string                     // token of the page after; "": there is none
	More  map[string]json.RawMessage // the other members, of the last page
}

// MarshalJSON writes l as the API does: {"items":[],"nextPageToken":""}, and more.
func (l *List) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	items := l.Items
	if items == nil {
		items = []json.RawMessage{}
	}
	b.WriteByte('{')
	member := func(name string, v any) error {
		text, err := json.Marshal(v)
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name) + ":")
		b.Write(text)
		return err
	}
	if err := member("items", items); err != nil {
		return nil, err
	}
	if err := member("nextPageToken", l.Next); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(l.More)) {
		if err := member(name, l.More[name]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads one page.
func (l *List) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	l.Items, l.Next, l.More = nil, "", map[string]json.RawMessage{}
	for name, value := range all {
		var err error
		switch name {
		case "items":
			err = json.Unmarshal(value, &l.Items)
		case "nextPageToken":
			err = json.Unmarshal(value, &l.Next)
		default:
			l.More[name] = value
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Stale reports whether the server said that this is what it remembers.
func (l *List) Stale() bool { return string(l.More["stale"]) == "true" }

// maxPage is the largest page of the API, where it has pages.
func maxPage(size string) int {
	if size == "pageSize" {
		return 500
	}
	return 1000
}

// All reads the list at path, page by page, until it has limit items. Size is how
// the path calls the size of a page: pageSize, or limit.
func (c *Client) All(ctx context.Context, path, size string, limit int) (*List, error) {
	place, err := url.Parse(path)
	if err != nil {
		return nil, err
	}
	q := place.Query()
	all := &List{}
	for {
		q.Set(size, strconv.Itoa(min(limit-len(all.Items), maxPage(size))))
		if all.Next != "" {
			q.Set("pageToken", all.Next)
		}
		place.RawQuery = q.Encode()
		var page List
		if err := c.Get(ctx, place.String(), &page); err != nil {
			return nil, err
		}
		page.Items = append(all.Items, page.Items...)
		*all = page
		if all.Next == "" || len(all.Items) >= limit || len(page.Items) == 0 {
			all.Items = all.Items[:min(len(all.Items), limit)]
			return all, nil
		}
	}
}

// Decode reads the items of l.
func Decode[T any](l *List) ([]T, error) {
	out := make([]T, len(l.Items))
	for i, text := range l.Items {
		if err := json.Unmarshal(text, &out[i]); err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
	}
	return out, nil
}
