package etcdlease

import (
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// text is a string of any bytes. JSON knows only characters: what is not UTF-8
// becomes a list with one element, in base64.
type text string

var errText = errors.New("text is neither a string nor a list of one")

// MarshalJSON implements json.Marshaler.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal([][]byte{[]byte(t)})
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '[' {
		return json.Unmarshal(data, (*string)(t))
	}
	var list [][]byte
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != 1 {
		return errText
	}
	*t = text(list[0])
	return nil
}
