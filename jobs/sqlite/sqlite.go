package sqlite

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite"

	"github.com/solocron/solocron/jobs"
)

// busyTimeout is how long SQLite waits for another writer.
const busyTimeout = 5 * time.Second

// Database opens the files of DSNs sqlite:PATH and file:PATH. What follows a ?
// in the latter are parameters of the driver; they take precedence over ours.
func Database() jobs.Database {
	return jobs.Database{
		Dialect:  jobs.SQLite,
		Prefixes: []string{"sqlite:", "file:"},
		Forms:    []string{"sqlite:PATH", "file:PATH"},
		Open:     open,
	}
}

// open opens a file that exists: a mistyped path must not make an empty
// database. Transactions take the write lock at once, so that what they read
// still holds when they write.
func open(dsn string, may jobs.Access) (*sql.DB, error) {
	name, err := fileURI(dsn)
	if err != nil {
		return nil, err
	}
	params := url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {strconv.FormatInt(busyTimeout.Milliseconds(), 10)},
		"_txlock":       {"immediate"},
	}
	if may == jobs.ReadOnly {
		params.Set("_query_only", "true")
		params.Del("_txlock")
	}
	return sql.Open("sqlite", addParams(name, params))
}

// fileURI makes a file: URI of a DSN. After sqlite: a path stands as it is.
func fileURI(dsn string) (string, error) {
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
