package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxBatchBytes is about how much a batch may hold in memory; the batch that
// reaches it ends early.
const maxBatchBytes = 16 << 20

// syncSource reads batches of rows in the order of the watermark and the key.
type syncSource struct {
	db        *database
	table     string
	columns   []string
	watermark string
	order     []string // the watermark, then the key without it
	limit     int
}

func newSource(ctx context.Context, db *database, s *Sync) (*syncSource, error) {
	stored, err := tableColumns(ctx, db, s.sourceTable())
	if err != nil {
		return nil, err
	}
	src := &syncSource{db: db, table: s.sourceTable(), columns: s.Columns, watermark: s.Watermark, limit: s.batch()}
	if len(src.columns) == 0 {
		src.columns = columnNames(stored)
	}
	src.order = []string{s.Watermark}
	for _, key := range s.Key {
		if key != s.Watermark {
			src.order = append(src.order, key)
		}
	}
	return src, missingColumns(src.table, stored, append(slices.Clone(src.order), src.columns...))
}

// read returns the rows after at, and whether there may be more behind them.
func (s *syncSource) read(ctx context.Context, at position) (batch [][]any, more bool, err error) {
	query, args := s.query(at)
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	size := 0
	for rows.Next() {
		row, into := make([]any, len(s.columns)), make([]any, len(s.columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, false, err
		}
		fixEmptyBlobs(row)
		if err := s.checkKey(row); err != nil {
			return nil, false, err
		}
		batch = append(batch, row)
		if size += rowSize(row); size >= maxBatchBytes {
			return batch, true, nil
		}
	}
	return batch, len(batch) == s.limit, rows.Err()
}

// query reads in the order of the keyset, so that a batch costs the same
// wherever in the table it begins. In SQLite a plus sign keeps the driver from
// reading meaning into a value because of the column's declared type: it is to
// be copied as it is stored.
func (s *syncSource) query(at position) (text string, args []any) {
	selected := make([]string, len(s.columns))
	for i, name := range s.columns {
		selected[i] = quoteName(name)
		if s.db.dialect == SQLite {
			selected[i] = "+" + selected[i]
		}
	}
	where := quoteName(s.watermark) + " IS NOT NULL"
	if len(at) > 0 {
		marks := make([]string, len(at))
		for i, v := range at {
			marks[i] = placeholder(s.db.dialect, i+1)
			args = append(args, bindValue(s.db.dialect, v, ""))
		}
		where += fmt.Sprintf(" AND (%s) > (%s)", quoteNames(s.order), strings.Join(marks, ", "))
	}
	return fmt.Sprintf("SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d",
		strings.Join(selected, ", "), quoteTable(s.table), where, quoteNames(s.order), s.limit), args
}

// position is where the copying stands after row.
func (s *syncSource) position(row []any) position {
	at := make(position, len(s.order))
	for i, name := range s.order {
		at[i] = row[slices.Index(s.columns, name)]
	}
	return at
}

// checkKey refuses a row that cannot be told from others.
func (s *syncSource) checkKey(row []any) error {
	for _, name := range s.order {
		if row[slices.Index(s.columns, name)] == nil {
			return fmt.Errorf("table %s: a row has no %s, which is part of the key", s.table, name)
		}
	}
	return nil
}

// fixEmptyBlobs tells blobs without a byte from NULL: SQLite's driver reads
// them as nil slices, which would be written as NULL.
func fixEmptyBlobs(row []any) {
	for i, v := range row {
		if b, ok := v.([]byte); ok && b == nil {
			row[i] = []byte{}
		}
	}
}

func rowSize(row []any) int {
	size := 0
	for _, v := range row {
		switch v := v.(type) {
		case string:
			size += len(v)
		case []byte:
			size += len(v)
		}
		size += 16
	}
	return size
}

// column is a column of a table as the database describes it.
type column struct{ name, dbType string }

// tableColumns asks for the columns of a table. Naming them in a query would
// not do: SQLite takes an unknown quoted name for a text.
func tableColumns(ctx context.Context, db *database, table string) ([]column, error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+quoteTable(table)+" WHERE 1 = 0")
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", table, err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", table, err)
	}
	var columns []column
	for _, t := range types {
		columns = append(columns, column{t.Name(), t.DatabaseTypeName()})
	}
	return columns, rows.Err()
}

func columnNames(columns []column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// missingColumns reports which of need a table does not have.
func missingColumns(table string, stored []column, need []string) error {
	has := columnNames(stored)
	var errs []error
	for i, name := range need {
		if !slices.Contains(has, name) && !slices.Contains(need[:i], name) {
			errs = append(errs, fmt.Errorf("table %s has no column %s; it has %s", table, name, strings.Join(has, ", ")))
		}
	}
	return errors.Join(errs...)
}
