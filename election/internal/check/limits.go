package check

import "time"

// The limits of what a store takes. Integers stay below 2^53, the last that a
// Lua number keeps exactly.
const (
	MaxInt    = 1<<53 - 1
	MaxKey    = 512 // bytes
	MaxHolder = 200 // bytes
	MaxDef    = 64  // bytes
	MaxNote   = 500 // bytes of a reason
	OwnerLen  = 32  // hexadecimal digits

	MinTTL   = 100 * time.Millisecond
	MaxTTL   = 24 * time.Hour
	MaxDelay = 24 * time.Hour
	MaxKeep  = 10 * 366 * 24 * time.Hour // retention

	MinTick = 946684800000  // 2000-01-01 in ms since 1970
	EndTick = 8993721600000 // 2255-01-01; a token made from it stays below MaxInt

	MaxAhead = 24 * time.Hour // how far a floor may lie ahead of the store's clock
)

// Millis is t in whole milliseconds since 1970, 0 for the zero time.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Time is the moment ms milliseconds after 1970 in UTC, the zero time for 0.
func Time(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
