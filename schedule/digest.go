package schedule

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// digest returns 16 hexadecimal digits that two calendars share only if they
// cover the same time; the name does not count.
func (c *Calendar) digest() string {
	h := sha256.New()
	fmt.Fprintln(h, "calendar 1", c.zone, c.weekly, c.yearly)
	for _, list := range [][]stretch{c.days, c.spans} {
		fmt.Fprintln(h, len(list))
		for _, s := range list {
			fmt.Fprintln(h, s.start, s.end)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
