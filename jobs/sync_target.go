package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

const (
	// maxInsertRows and maxInsertArgs bound one INSERT. SQLite takes 32766
	// arguments, Postgres 65535.
	maxInsertRows = 100
	maxInsertArgs = 10_000
)

// syncTarget writes batches of rows, each with the checkpoint after it.
type syncTarget struct {
	db      *database
	table   string
	columns []column
	key     []string
}

func newTarget(ctx context.Context, db *database, s *Sync, names []string) (*syncTarget, error) {
	t := &syncTarget{db: db, table: s.targetTable(), key: s.Key}
	stored, err := tableColumns(ctx, db, t.table)
	if err != nil {
		return nil, err
	}
	if err := missingColumns(t.table, stored, names); err != nil {
		return nil, err
	}
	for _, name := range names {
		i := slices.IndexFunc(stored, func(c column) bool { return c.name == name })
		t.columns = append(t.columns, stored[i])
	}
	return t, ensureFenceTable(ctx, db)
}

// enter takes the fence for this run, so that older ones are refused from now
// on, and returns where the copying stands.
func (t *syncTarget) enter(ctx context.Context, f fence) (position, error) {
	var at position
	err := t.transaction(ctx, func(tx *sql.Tx) error {
		stored, err := f.check(ctx, tx, t.db.dialect)
		if err != nil {
			return err
		}
		at, err = f.resume(ctx, tx, t.db.dialect, stored)
		return err
	})
	return at, err
}

// write stores a batch and the position after it, or neither.
func (t *syncTarget) write(ctx context.Context, f fence, rows [][]any, at position) error {
	return t.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := f.check(ctx, tx, t.db.dialect); err != nil {
			return err
		}
		per := max(1, min(maxInsertRows, maxInsertArgs/len(t.columns)))
		for chunk := range slices.Chunk(rows, per) {
			if err := t.upsert(ctx, tx, chunk); err != nil {
				return err
			}
		}
		return f.advance(ctx, tx, t.db.dialect, at, len(rows))
	})
}

func (t *syncTarget) transaction(ctx context.Context, work func(*sql.Tx) error) error {
	tx, err := t.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		_ = tx.Rollback() // the database undoes what is not committed in any case
		return err
	}
	return tx.Commit()
}

// upsert inserts rows, or updates those that are there.
func (t *syncTarget) upsert(ctx context.Context, tx *sql.Tx, rows [][]any) error {
	args := make([]any, 0, len(rows)*len(t.columns))
	for _, row := range rows {
		for i, v := range row {
			args = append(args, bindValue(t.db.dialect, v, t.columns[i].dbType))
		}
	}
	if _, err := tx.ExecContext(ctx, t.upsertText(len(rows)), args...); err != nil {
		return fmt.Errorf("write to %s (which needs a unique index on %s): %w", t.table, strings.Join(t.key, ", "), err)
	}
	return nil
}

func (t *syncTarget) upsertText(rows int) string {
	var b strings.Builder
	names := columnNames(t.columns)
	fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES ", quoteTable(t.table), quoteNames(names))
	for r := range rows {
		for c := range names {
			switch {
			case c > 0:
				b.WriteString(", ")
			case r > 0:
				b.WriteString("), (")
			default:
				b.WriteString("(")
			}
			b.WriteString(placeholder(t.db.dialect, r*len(names)+c+1))
		}
	}
	fmt.Fprintf(&b, ") ON CONFLICT (%s) DO ", quoteNames(t.key))
	var sets []string
	for _, name := range names {
		if !slices.Contains(t.key, name) {
			sets = append(sets, quoteName(name)+" = excluded."+quoteName(name))
		}
	}
	if len(sets) == 0 {
		b.WriteString("NOTHING")
	} else {
		b.WriteString("UPDATE SET " + strings.Join(sets, ", "))
	}
	return b.String()
}
