package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Dialect is the SQL of a database system.
type Dialect string

// The dialects that reports and syncs speak.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// Access is what a job may do in a database.
type Access int

// A report and the source of a sync only read.
const (
	ReadOnly Access = iota
	ReadWrite
)

// Database is a database system that reports and syncs can use. Packages
// jobs/sqlite and jobs/postgres have one each. They are handed to Kinds, so
// that a program links the drivers that it names and no others.
type Database struct {
	Dialect  Dialect
	Prefixes []string // what its DSNs begin with: postgres://
	Forms    []string // its DSNs, for people: sqlite:PATH

	// Open returns a handle for dsn, which has one of the prefixes; it need
	// not connect yet. Its error must not repeat the DSN, which may hold a
	// password. A report's query runs in a read-only transaction; where the
	// system does not enforce that, Open must make ReadOnly hold.
	Open func(dsn string, may Access) (*sql.DB, error)
}

func (d Database) opens(dsn string) bool {
	return slices.ContainsFunc(d.Prefixes, func(p string) bool { return strings.HasPrefix(dsn, p) })
}

// database is an open database and the SQL it speaks.
type database struct {
	*sql.DB
	dialect Dialect
}

var errNoDatabases = errors.New("no database can be opened: this program registers none")

// findDatabase returns the one of all that opens dsn, which its errors do not repeat.
func findDatabase(all []Database, dsn string) (Database, error) {
	if len(all) == 0 {
		return Database{}, errNoDatabases
	}
	i := slices.IndexFunc(all, func(d Database) bool { return d.opens(dsn) })
	if i < 0 {
		return Database{}, errors.New("is none of " + dsnForms(all))
	}
	return all[i], nil
}

// dsnForms lists the DSNs that all can open.
func dsnForms(all []Database) string {
	var forms []string
	for _, d := range all {
		forms = append(forms, d.Forms...)
	}
	if last := len(forms) - 1; last > 0 {
		return strings.Join(forms[:last], ", ") + " or " + forms[last]
	}
	return strings.Join(forms, "")
}

// validateDSN reports what can be known to be wrong before the secret is read.
func validateDSN(field string, all []Database, dsn Secret) error {
	switch {
	case len(all) == 0:
		return &FieldError{Field: field, Msg: errNoDatabases.Error()}
	case dsn.IsZero():
		return &FieldError{Field: field, Msg: "is missing: " + dsnForms(all)}
	case dsn.Literal == "":
		return nil
	}
	if _, err := findDatabase(all, dsn.Literal); err != nil {
		return &FieldError{Field: field, Msg: err.Error()}
	}
	return nil
}

// openDatabase reads the DSN and connects once, so that a wrong one is told
// from a wrong query.
func openDatabase(ctx context.Context, all []Database, dsn Secret, may Access) (*database, error) {
	text, err := dsn.Value()
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	system, err := findDatabase(all, text)
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	db, err := system.Open(text, may)
	if err != nil {
		return nil, fmt.Errorf("dsn: %w", err)
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to %s: %w", system.Dialect, err), db.Close())
	}
	return &database{DB: db, dialect: system.Dialect}, nil
}
