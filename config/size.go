package config

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// size is a number of bytes: 65536, 512Ki, 1Mi.
type size int64

func isSize(t reflect.Type) bool { return t == reflect.TypeFor[size]() }

// fillSize sets v from s and returns what is wrong with s, "" if nothing.
func fillSize(s string, v reflect.Value) string {
	number, unit := leading(s, "0123456789")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return quote(s) + " is not a size: write a whole number of bytes such as 65536, 512Ki or 1Mi"
	}
	factor := int64(1)
	switch unit {
	case "":
	case "Ki":
		factor = 1 << 10
	case "Mi":
		factor = 1 << 20
	case "Gi":
		factor = 1 << 30
	default:
		return fmt.Sprintf("%s has the unknown unit %s: there are Ki, Mi and Gi%s", quote(s), quote(unit), binary(number, unit))
	}
	if n > math.MaxInt64/factor {
		return quote(s) + " is too large"
	}
	v.SetInt(n * factor)
	return ""
}

// binary proposes the unit that a decimal or misspelt one was meant to be.
func binary(number, unit string) string {
	switch first := strings.ToUpper(unit[:1]); first {
	case "K", "M", "G":
		return ": did you mean " + cut(number, 20) + first + "i?"
	}
	return ""
}
