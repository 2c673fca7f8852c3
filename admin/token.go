package admin

import (
	"encoding/base64"
	"encoding/json"
)

// maxToken is how many bytes of a page token are read.
const maxToken = 4096

// token is a page token: where the next page begins. Clients hand it back as it is.
func token(place any) string {
	text, err := json.Marshal(place)
	if err != nil {
		return "" // cannot be: places are strings and numbers
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// readToken reads what token wrote; an empty text is no place.
func readToken(text string, p place) error {
	if text == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil && len(text) <= maxToken {
		err = readPlace(raw, p)
	}
	if err != nil || len(text) > maxToken {
		return notValid("query.pageToken", "is what nextPageToken said, unchanged", text)
	}
	return nil
}
