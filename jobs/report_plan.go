package jobs

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	maxPath      = 4096 // bytes
	progressRows = 10_000
	reportMode   = 0o640
)

// reportPlan is what the settings of a report come to.
type reportPlan struct {
	output runTemplate
	dir    string // what no parameter may lead out of
	mode   os.FileMode
}

// plan reads the settings of r and reports everything that is wrong with them.
func (r *Report) plan() (reportPlan, error) {
	p := reportPlan{mode: reportMode, dir: fixedDir(r.Output)}
	var errs []error
	blame := func(field, format string, args ...any) {
		errs = append(errs, &FieldError{Field: field, Msg: fmt.Sprintf(format, args...)})
	}
	if err := validateDSN("dsn", r.Databases, r.DSN); err != nil {
		errs = append(errs, err)
	}
	if strings.TrimSpace(r.Query) == "" {
		blame("query", "is missing: one SELECT")
	}
	if system, err := findDatabase(r.Databases, r.DSN.Literal); err == nil {
		if _, err := bindParams(r.Query, system.Dialect, r.queryNames()); err != nil {
			blame("query", "%v", err)
		}
	}
	if err := reservedParams(r.Params); err != nil {
		errs = append(errs, err)
	}
	if !slices.Contains([]string{"", "csv", "json", "html"}, r.Format) {
		blame("format", "%q is none of csv, json, html", r.Format)
	}
	if !slices.Contains([]string{"", "ok", "fail"}, r.EmptyIs) {
		blame("emptyIs", "%q is neither ok nor fail", r.EmptyIs)
	}
	if r.MaxRows < 0 {
		blame("maxRows", "%d is negative", r.MaxRows)
	}
	var err error
	if r.Output == "" {
		blame("output", "is missing: the path of the file")
	} else if p.output, err = parseTemplate(r.Output, maxPath, r.Params, escapePath); err != nil {
		blame("output", "%v", err)
	}
	if r.Mode != "" {
		mode, err := strconv.ParseUint(r.Mode, 8, 32)
		if err != nil || mode > 0o777 {
			blame("mode", "%q is not an octal number up to 0777", r.Mode)
		}
		p.mode = os.FileMode(mode)
	}
	return p, errors.Join(errs...)
}

// path is where the report of run goes. A run's id may hold what somebody
// typed who asked for the run: it must not lead out of the directory.
func (p reportPlan) path(run Run) (string, error) {
	if strings.ContainsAny(run.ID+run.Job, "/\\\x00") {
		return "", errors.New("output: the run's id cannot be part of a path")
	}
	path, err := p.output.render(run)
	if err != nil {
		return "", fmt.Errorf("output: %w", err)
	}
	if path == "" || strings.HasSuffix(path, "/") || strings.ContainsRune(path, 0) {
		return "", fmt.Errorf("output: %q is not the name of a file", path)
	}
	if p.output.params && !inside(p.dir, path) {
		return "", fmt.Errorf("output: the parameters lead to %q, out of the directory %q", path, filepath.Clean(p.dir))
	}
	return filepath.Clean(path), nil
}

func (r *Report) maxRows() int64 {
	if r.MaxRows == 0 {
		return DefaultMaxRows
	}
	return r.MaxRows
}

// columns reads rows into cells. What it returns holds until the next call.
type columns struct {
	names  []string
	types  []string
	values []any
	into   []any
	cells  []cell
}

func newColumns(rows *sql.Rows) (*columns, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	n := len(types)
	if n == 0 {
		return nil, errors.New("the query gives no columns: it must be a SELECT")
	}
	c := &columns{values: make([]any, n), into: make([]any, n), cells: make([]cell, n)}
	for i, t := range types {
		c.names = append(c.names, t.Name())
		c.types = append(c.types, t.DatabaseTypeName())
		c.into[i] = &c.values[i]
	}
	return c, nil
}

func (c *columns) scan(rows *sql.Rows) ([]cell, error) {
	if err := rows.Scan(c.into...); err != nil {
		return nil, err
	}
	for i, v := range c.values {
		c.cells[i] = newCell(v, c.types[i])
	}
	return c.cells, nil
}
