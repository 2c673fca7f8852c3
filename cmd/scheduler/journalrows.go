package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/election/redislease/preflight"
)

// journalRows looks at the journal's Redis when leases are kept elsewhere: the same
// questions, of which only those about leases do not matter there.
func journalRows(ctx context.Context, cfg *config.Config, maxOffset time.Duration) []preflight.Row {
	var rows []preflight.Row
	kept, closing, err := openRedisAt(cfg, redisSettings(cfg, journalTry))
	if err == nil {
		rows = kept.Preflight(ctx, maxOffset)
	}
	if err = errors.Join(err, closing.close()); err != nil {
		rows = append(rows, preflight.Row{Check: preflight.CheckConnection, State: preflight.Fail, Found: err.Error(), Fix: "see redis"})
	}
	return rename(rows, "journal: ", "redis")
}

// rename puts prefix before the checks of rows, and section in the place of redis
// where they speak of the configuration.
func rename(rows []preflight.Row, prefix, section string) []preflight.Row {
	for i := range rows {
		rows[i].Check = prefix + rows[i].Check
		rows[i].Fix = strings.ReplaceAll(rows[i].Fix, "redis.", section+".")
	}
	return rows
}
