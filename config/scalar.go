package config

import (
	"encoding"
	"log/slog"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// scalar fills v from one scalar. The type of v decides how it is read, not
// the quotes around it: a text is what is written, 3 and "3" are both a number.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, at *trail) bool {
	switch {
	case n.Kind != yaml.ScalarNode:
		d.faults.at(n, at, "must be %s, not %s", wanted(v), what(n))
		return false
	case n.Tag == "!!null" && v.Kind() == reflect.String:
		d.faults.at(n, at, `has no value: write "" for an empty text`)
		return false
	case n.Tag == "!!null":
		d.faults.at(n, at, "has no value: write %s", wanted(v))
		return false
	}
	if msg := d.fill(n.Value, v); msg != "" {
		d.faults.at(n, at, "%s", msg)
		return false
	}
	return true
}

// wanted names the type of v in the words of YAML.
func wanted(v reflect.Value) string {
	switch {
	case isDuration(v.Type()):
		return "a length of time such as 90s"
	case isSize(v.Type()):
		return "a size such as 1Mi"
	case isWord(v):
		return "text"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.CanInt(), v.CanUint():
		return "a whole number"
	case v.CanFloat():
		return "a number"
	}
	return "text"
}

// fill sets v from s and returns what is wrong with s, "" if nothing.
func (d *decoder) fill(s string, v reflect.Value) string {
	if msg := badText(s); msg != "" {
		return msg
	}
	switch {
	case isDuration(v.Type()):
		length, err := ParseDuration(s)
		if err != nil {
			return err.Error()
		}
		v.SetInt(int64(length))
	case isSize(v.Type()):
		return fillSize(s, v)
	case isLevel(v.Type()):
		return fillLevel(s, v)
	case isWord(v):
		return fillWord(s, v)
	case v.Kind() == reflect.String:
		v.SetString(s)
	case v.Kind() == reflect.Bool:
		return fillBool(s, v)
	case v.CanInt(), v.CanUint():
		return fillWhole(s, v)
	case v.CanFloat():
		f, err := strconv.ParseFloat(s, v.Type().Bits())
		if err != nil || f-f != 0 {
			return quote(s) + " is not a number"
		}
		v.SetFloat(f)
	default:
		return "cannot be set from YAML"
	}
	return ""
}

// isWord reports whether v is a number in Go and one of a few words in YAML.
func isWord(v reflect.Value) bool {
	return v.CanUint() && v.CanAddr() && v.Addr().Type().Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// fillWord has v read s itself. The message of such a type begins with its name,
// which the path says already.
func fillWord(s string, v reflect.Value) string {
	err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	if err == nil {
		return ""
	}
	_, msg, _ := strings.Cut(err.Error(), " ")
	return msg
}

func badText(s string) string {
	if len(s) > maxText {
		return "is longer than " + strconv.Itoa(maxText>>20) + " MiB"
	}
	if r, bad := control(s); bad {
		msg := "holds the control character " + strconv.QuoteRuneToASCII(r)
		if r == '\r' || r == '\b' || r == '\a' || r == '\v' || r == '\f' || r == 0x1b {
			return msg + ": in double quotes a backslash begins an escape; use single quotes"
		}
		return msg
	}
	return ""
}

func fillLevel(s string, v reflect.Value) string {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
	level, ok := levels[strings.ToLower(s)]
	if !ok {
		return quote(s) + " is not one of debug, info, warn, error"
	}
	v.SetInt(int64(level))
	return ""
}

func fillBool(s string, v reflect.Value) string {
	switch s {
	case "true", "True", "TRUE":
		v.SetBool(true)
	case "false", "False", "FALSE":
		v.SetBool(false)
	default:
		return quote(s) + " is neither true nor false"
	}
	return ""
}

func fillWhole(s string, v reflect.Value) string {
	digits := strings.TrimPrefix(s, "-")
	if len(digits) > 1 && digits[0] == '0' {
		return quote(s) + " begins with 0, which some read as octal: write it without"
	}
	if v.CanUint() {
		u, err := strconv.ParseUint(s, 10, v.Type().Bits())
		if err != nil {
			return quote(s) + " is not a whole number from 0 up"
		}
		v.SetUint(u)
		return ""
	}
	i, err := strconv.ParseInt(s, 10, v.Type().Bits())
	if err != nil {
		return quote(s) + " is not a whole number, or too large"
	}
	v.SetInt(i)
	return ""
}

// decodeText fills v from a value that does not come from a file. Commas divide
// the items of a list.
func (d *decoder) decodeText(s string, v reflect.Value) string {
	faults := collector{}
	inner := decoder{faults: &faults, shapes: d.shapes, named: d.named}
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if v.Kind() == reflect.Slice {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for item := range strings.SplitSeq(s, ",") {
			list.Content = append(list.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: strings.TrimSpace(item)})
		}
		node = list
	}
	inner.value(node, v, nil)
	if len(faults.faults) > 0 {
		return faults.faults[0].Msg
	}
	return ""
}
