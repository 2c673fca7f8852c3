package jobs

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultMaxRows is the most rows a report holds where the job says nothing.
const DefaultMaxRows = 10_000_000

// ErrEmptyReport is the end of a report whose query gave no row, where the
// job says "emptyIs: fail". The query itself went well, and a report of an
// earlier run is still there.
var ErrEmptyReport = errors.New("the query gave no row")

// Report writes the result of an SQL query to a file. The query sees the
// parameters :day (the tick's UTC date, 2026-11-29), :tick (RFC 3339) and
// :run_id, and a parameter of the job as :name; it cannot change the database.
// In the output {{.Params.name}} is such a parameter: what could lead to another
// directory is escaped in it, / as %2F.
//
// Rows are streamed. The file appears under its name when it is complete and
// on disk; whatever goes wrong before leaves an earlier one untouched. A run
// whose process is killed leaves a hidden file beside it, which a later run of
// the job into the same directory removes when it is a day old.
type Report struct {
	DSN     Secret `yaml:"dsn"`     // a database: sqlite:PATH, postgres://..., or what else Databases open
	Query   string `yaml:"query"`   // one SELECT
	Format  string `yaml:"format"`  // csv (default), json or html
	Output  string `yaml:"output"`  // the file, a template: report-{{.Tick.Format "2006-01-02"}}.csv
	Title   string `yaml:"title"`   // of an HTML page; default: the job's name
	EmptyIs string `yaml:"emptyIs"` // ok (default): a file without rows; fail: ErrEmptyReport
	Mode    string `yaml:"mode"`    // permissions of the file, octal; default 0640
	CSVSafe bool   `yaml:"csvSafe"` // text that a spreadsheet would take for a formula gets a ' before it
	MaxRows int64  `yaml:"maxRows"` // more rows than this fail the run; default DefaultMaxRows

	Databases []Database `yaml:"-"` // what can be opened; Kinds sets it
	Params    []Param    `yaml:"-"` // that query and output may name; DeclareParams sets it
}

// DeclareParams sets the parameters that query and output may name. Those named
// day, tick or run_id are refused.
func (r *Report) DeclareParams(params []Param) error {
	r.Params = slices.DeleteFunc(slices.Clone(params), func(p Param) bool { return slices.Contains(paramNames, p.Name) })
	return reservedParams(params)
}

// Validate reports everything that is wrong with r.
func (r *Report) Validate() error {
	_, err := r.plan()
	return err
}

// Run makes the report.
func (r *Report) Run(ctx context.Context, run Run) error {
	plan, err := r.plan()
	if err != nil {
		return err
	}
	path, err := plan.path(run)
	if err != nil {
		return err
	}
	if err := sweepTemp(ctx, filepath.Dir(path), run.Job, time.Now().Add(-leftoverAge)); err != nil {
		run.Output("stderr", fmt.Sprintf("what killed runs left could not be removed: %v", err))
	}
	rows, err := r.write(ctx, run, plan, path)
	if err = stopped(ctx, err); err != nil {
		return err
	}
	run.Progress(fmt.Sprintf("%d rows in %s", rows, path))
	return nil
}

// write fills the file at path with the result of the query, or leaves it alone.
func (r *Report) write(ctx context.Context, run Run, plan reportPlan, path string) (rows int64, err error) {
	db, err := openDatabase(ctx, r.Databases, r.DSN, ReadOnly)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	result, done, err := r.query(ctx, db, run)
	if err != nil {
		return 0, fmt.Errorf("query: %w", err)
	}
	defer done()

	err = replaceFile(ctx, path, run.Job, plan.mode, func(f *os.File) error {
		buffered := bufio.NewWriterSize(f, 64<<10)
		if rows, err = r.render(result, buffered, run); err != nil {
			return err
		}
		return buffered.Flush()
	})
	return rows, err
}

// query starts the query in a transaction that cannot write.
func (r *Report) query(ctx context.Context, db *database, run Run) (rows *sql.Rows, done func(), err error) {
	values := r.queryValues(run, db.dialect)
	bound, err := bindParams(r.Query, db.dialect, r.queryNames())
	if err != nil {
		return nil, nil, err
	}
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, nil, err
	}
	rows, err = tx.QueryContext(ctx, bound.text, bound.args(values)...)
	if err != nil {
		return nil, nil, errors.Join(err, tx.Rollback())
	}
	return rows, func() { _, _ = rows.Close(), tx.Rollback() }, nil
}

// render writes all rows in the report's format and returns their number.
func (r *Report) render(rows *sql.Rows, to io.Writer, run Run) (int64, error) {
	columns, err := newColumns(rows)
	if err != nil {
		return 0, err
	}
	out, err := r.format(to, columns.names, run)
	if err != nil {
		return 0, err
	}
	var n int64
	for rows.Next() {
		if n++; n > r.maxRows() {
			return n, fmt.Errorf("the query gives more than %d rows (maxRows)", r.maxRows())
		}
		cells, err := columns.scan(rows)
		if err != nil {
			return n, err
		}
		if err := out.row(cells); err != nil {
			return n, err
		}
		if n%progressRows == 0 {
			run.Progress(fmt.Sprintf("%d rows", n))
		}
	}
	if err := rows.Err(); err != nil {
		return n, fmt.Errorf("query: %w", err)
	}
	if n == 0 && strings.EqualFold(r.EmptyIs, "fail") {
		return 0, ErrEmptyReport
	}
	return n, out.end(n)
}
