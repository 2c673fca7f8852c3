package postgres

import (
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/solocron/solocron/jobs"
)

// connectTimeout holds where the DSN says nothing.
const connectTimeout = 10 * time.Second

// Database opens DSNs postgres://user@host/database, with parameters as libpq has them.
func Database() jobs.Database {
	return jobs.Database{
		Dialect:  jobs.Postgres,
		Prefixes: []string{"postgres://", "postgresql://"},
		Forms:    []string{"postgres://user@host/database"},
		Open:     open,
	}
}

// open prepares connections with the session's zone set to UTC, so that a time
// written without a zone means the same everywhere. The driver's own error
// would quote the DSN. Who only reads does so in read-only transactions.
func open(dsn string, _ jobs.Access) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("is not a valid postgres:// address")
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = connectTimeout
	}
	setDefault(cfg.RuntimeParams, "timezone", "UTC")
	setDefault(cfg.RuntimeParams, "application_name", "solocron")
	return stdlib.OpenDB(*cfg), nil
}

func setDefault(params map[string]string, key, value string) {
	if params[key] == "" {
		params[key] = value
	}
}
