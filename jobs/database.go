package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the database/sql driver "sqlite"
)

const (
	connectTimeout = 10 * time.Second
	// sqliteBusy is how long SQLite waits for another writer.
	sqliteBusy = 5 * time.Second
	dsnForms   = "sqlite:PATH, file:PATH or postgres://user@host/database"
)

// dialect is the SQL of one database system.
type dialect string

const (
	sqlite   dialect = "sqlite"
	postgres dialect = "postgres"
)

// access is what a job may do in a database.
type access int

const (
	readOnly access = iota
	readWrite
)

// database is an open database and the SQL it speaks.
type database struct {
	*sql.DB
	dialect dialect
}

// dialectOf tells the system from the beginning of a DSN, which its errors do
// not repeat.
func dialectOf(dsn string) (dialect, error) {
	switch {
	case strings.HasPrefix(dsn, "postgres://"), strings.HasPrefix(dsn, "postgresql://"):
		return postgres, nil
	case strings.HasPrefix(dsn, "sqlite:"), strings.HasPrefix(dsn, "file:"):
		return sqlite, nil
	}
	return "", errors.New("is none of " + dsnForms)
}

// validateDSN reports what can be known to be wrong before the secret is read.
func validateDSN(field string, dsn Secret) error {
	if dsn.IsZero() {
		return &FieldError{Field: field, Msg: "is missing: " + dsnForms}
	}
	if dsn.Literal == "" {
		return nil
	}
	if _, err := dialectOf(dsn.Literal); err != nil {
		return &FieldError{Field: field, Msg: err.Error()}
	}
	return nil
}

// openDatabase reads the DSN and connects once, so that a wrong one is told
// from a wrong query.
func openDatabase(ctx context.Context, dsn Secret, may access) (*database, error) {
	text, err := dsn.Value()
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	kind, err := dialectOf(text)
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	open := openSQLite
	if kind == postgres {
		open = openPostgres
	}
	db, err := open(text, may)
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to %s: %w", kind, err), db.Close())
	}
	return &database{DB: db, dialect: kind}, nil
}

// openPostgres connects with the session's zone set to UTC, so that a time
// written without a zone means the same everywhere. The driver's own error
// would quote the DSN.
func openPostgres(dsn string, _ access) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, errors.New("is not a valid postgres:// address")
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = connectTimeout
	}
	if cfg.RuntimeParams["timezone"] == "" {
		cfg.RuntimeParams["timezone"] = "UTC"
	}
	if cfg.RuntimeParams["application_name"] == "" {
		cfg.RuntimeParams["application_name"] = "solocron"
	}
	return stdlib.OpenDB(*cfg), nil
}

// openSQLite opens a file that exists: a mistyped path must not make an empty
// database. Transactions take the write lock at once, so that what they read
// still holds when they write.
func openSQLite(dsn string, may access) (*sql.DB, error) {
	name, err := sqliteName(dsn)
	if err != nil {
		return nil, err
	}
	params := url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {strconv.FormatInt(sqliteBusy.Milliseconds(), 10)},
		"_txlock":       {"immediate"},
	}
	if may == readOnly {
		params.Set("_query_only", "true")
		params.Del("_txlock")
	}
	return sql.Open("sqlite", addParams(name, params))
}

// sqliteName makes a file: URI of a DSN. After sqlite: a path stands as it is.
func sqliteName(dsn string) (string, error) {
	path, plain := strings.CutPrefix(dsn, "sqlite:")
	if !plain {
		return dsn, nil
	}
	if path == "" || path == ":memory:" {
		return "", errors.New("names no file")
	}
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath(), nil
}

// addParams adds params that name does not have already.
func addParams(name string, params url.Values) string {
	base, query, _ := strings.Cut(name, "?")
	given, _ := url.ParseQuery(query)
	for key := range given {
		params.Del(key)
	}
	return base + "?" + strings.TrimPrefix(query+"&"+params.Encode(), "&")
}
