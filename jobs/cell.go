package jobs

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// cellKind says what a value of a report is to its reader.
type cellKind int

const (
	cellNull cellKind = iota
	cellText
	cellNumber // a valid JSON number
	cellBool
)

// cell is one value of a report in words.
type cell struct {
	kind cellKind
	text string
}

// newCell reads a value as the driver gave it. DBType is the database's name
// of the column's type, which tells what the value alone does not.
func newCell(value any, dbType string) cell {
	switch v := value.(type) {
	case nil:
		return cell{}
	case int64:
		return cell{cellNumber, strconv.FormatInt(v, 10)}
	case float64:
		return floatCell(v)
	case bool:
		return cell{cellBool, strconv.FormatBool(v)}
	case time.Time:
		if dbType == "DATE" {
			return cell{cellText, v.Format("2006-01-02")}
		}
		return cell{cellText, v.UTC().Format(time.RFC3339Nano)}
	case []byte:
		if utf8.Valid(v) {
			return cell{cellText, string(v)}
		}
		return cell{cellText, base64.StdEncoding.EncodeToString(v)}
	case string:
		if dbType == "NUMERIC" && isDecimal(v) {
			return cell{cellNumber, v}
		}
		return cell{cellText, v}
	}
	return cell{cellText, fmt.Sprint(value)}
}

// floatCell writes a number plainly unless it is very large or small.
func floatCell(v float64) cell {
	switch a := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return cell{cellText, strconv.FormatFloat(v, 'g', -1, 64)}
	case a != 0 && (a < 1e-6 || a >= 1e21):
		return cell{cellNumber, strconv.FormatFloat(v, 'e', -1, 64)}
	}
	return cell{cellNumber, strconv.FormatFloat(v, 'f', -1, 64)}
}

// isDecimal reports whether s, a number as Postgres writes it, is one for JSON too.
func isDecimal(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && s[0] != 'N' && s[0] != 'I' && !(len(s) > 1 && s[1] == 'I')
}
