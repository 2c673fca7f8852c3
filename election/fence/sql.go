package fence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrStale means that the resource has seen a higher token: whoever holds this
// one has been followed by another. Roll back, and stop.
var ErrStale = errors.New("stale fencing token")

const (
	maxResource = 512       // bytes
	maxToken    = 1<<53 - 1 // the highest that is given out
)

// Dialect is how a database is spoken to.
type Dialect uint8

// The dialects.
const (
	Postgres Dialect = iota
	SQLite
)

// Table makes the table that Advance needs, in either dialect, if it is not
// there yet.
const Table = `CREATE TABLE IF NOT EXISTS fence (
	resource TEXT PRIMARY KEY,
	token BIGINT NOT NULL
)`

// The condition makes the statement touch no row if the token is stale. The row
// stays locked until the transaction ends: of two holders the second waits, and
// sees what the first has left.
const (
	advancePostgres = `INSERT INTO fence (resource, token) VALUES ($1, $2)
ON CONFLICT (resource) DO UPDATE SET token = excluded.token WHERE fence.token <= excluded.token`
	advanceSQLite = `INSERT INTO fence (resource, token) VALUES (?, ?)
ON CONFLICT (resource) DO UPDATE SET token = excluded.token WHERE fence.token <= excluded.token`
)

// Advance checks token against the highest that resource has seen and remembers
// it. Call it first in the transaction that has the effect: the effect then
// happens only if the token is the highest, and nobody with a higher one gets in
// between. The same token is good any number of times. The error matches
// ErrStale if the resource has seen a higher one: roll back. In a serializable
// transaction of Postgres it may be a serialization failure instead, which is
// repeated like any.
func Advance(ctx context.Context, tx *sql.Tx, dialect Dialect, resource string, token int64) error {
	if resource == "" || len(resource) > maxResource {
		return fmt.Errorf("fence: resource of %d bytes, 1 to %d are allowed", len(resource), maxResource)
	}
	if token < 1 || token > maxToken {
		return fmt.Errorf("fence: token %d is not between 1 and 2^53", token)
	}
	statement := advancePostgres
	if dialect == SQLite {
		statement = advanceSQLite
	}
	result, err := tx.ExecContext(ctx, statement, resource, token)
	if err != nil {
		return fmt.Errorf("fence: %w", err)
	}
	rows, err := result.RowsAffected()
	if err != nil {
		return fmt.Errorf("fence: %w", err)
	}
	if rows == 0 {
		return fmt.Errorf("fence: token %d: %w", token, ErrStale)
	}
	return nil
}
