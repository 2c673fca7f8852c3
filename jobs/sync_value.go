package jobs

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// position is the watermark and the key of the last row copied, as the source
// gave them. Nil is before the first row.
type position []any

// storedValue is one value of a position, exact and independent of databases.
type storedValue struct {
	Type string `json:"t"` // int, float, text, bytes, time, bool
	Text string `json:"v"`
}

// timeText is how a time is written for SQLite: of fixed width and in UTC, so
// that texts sort as times do.
const timeText = "2006-01-02T15:04:05.000000Z"

func storeValue(v any) (storedValue, error) {
	switch v := v.(type) {
	case int64:
		return storedValue{"int", strconv.FormatInt(v, 10)}, nil
	case float64:
		return storedValue{"float", strconv.FormatFloat(v, 'g', -1, 64)}, nil
	case string:
		if !utf8.ValidString(v) { // JSON would not give it back
			return storedValue{"rawtext", base64.StdEncoding.EncodeToString([]byte(v))}, nil
		}
		return storedValue{"text", v}, nil
	case []byte:
		return storedValue{"bytes", base64.StdEncoding.EncodeToString(v)}, nil
	case time.Time:
		return storedValue{"time", v.UTC().Format(time.RFC3339Nano)}, nil
	case bool:
		return storedValue{"bool", strconv.FormatBool(v)}, nil
	}
	return storedValue{}, fmt.Errorf("a value of type %T cannot be a watermark or key", v)
}

func (s storedValue) value() (any, error) {
	switch s.Type {
	case "int":
		return strconv.ParseInt(s.Text, 10, 64)
	case "float":
		return strconv.ParseFloat(s.Text, 64)
	case "text":
		return s.Text, nil
	case "rawtext":
		b, err := base64.StdEncoding.DecodeString(s.Text)
		return string(b), err
	case "bytes":
		return base64.StdEncoding.DecodeString(s.Text)
	case "time":
		return time.Parse(time.RFC3339Nano, s.Text)
	case "bool":
		return strconv.ParseBool(s.Text)
	}
	return nil, fmt.Errorf("unknown type %q", s.Type)
}

// encode writes p for the checkpoint: the watermark and its type apart, for
// people who look, then the whole.
func (p position) encode() (watermark, watermarkType, whole string, err error) {
	stored := make([]storedValue, len(p))
	for i, v := range p {
		if stored[i], err = storeValue(v); err != nil {
			return "", "", "", err
		}
	}
	b, err := json.Marshal(stored)
	if err != nil {
		return "", "", "", err
	}
	return stored[0].Text, stored[0].Type, string(b), nil
}

func decodePosition(whole string) (position, error) {
	if whole == "" {
		return nil, nil
	}
	var stored []storedValue
	if err := json.Unmarshal([]byte(whole), &stored); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var p position
	for _, s := range stored {
		v, err := s.value()
		if err != nil {
			return nil, fmt.Errorf("checkpoint: %w", err)
		}
		p = append(p, v)
	}
	return p, nil
}

// words is the watermark for people.
func (p position) words() string {
	s, err := storeValue(p[0])
	if err != nil {
		return "?"
	}
	return cut(s.Text, 64)
}

// bindValue makes v, read from one database, an argument for another. DBType
// is the column's type there, if known.
//
// Postgres gets everything as text, which it reads by the type of the column:
// that is exact, and turns SQLite's 0 and 1 into booleans and its texts into
// times. SQLite gets what it can store: no times and no booleans.
func bindValue(d Dialect, v any, dbType string) any {
	if d == Postgres {
		return postgresValue(v, dbType)
	}
	switch v := v.(type) {
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case time.Time:
		return v.UTC().Format(timeText)
	}
	return v
}

func postgresValue(v any, dbType string) any {
	switch v := v.(type) {
	case nil:
		return nil
	case []byte:
		if dbType == "BYTEA" || dbType == "" {
			return v
		}
		return string(v)
	case string:
		if dbType == "BYTEA" {
			return []byte(v)
		}
		return v
	}
	s, err := storeValue(v)
	if err != nil {
		return v // the driver says what it thinks of it
	}
	return s.Text
}
