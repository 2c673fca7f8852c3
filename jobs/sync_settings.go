package jobs

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	columnRE = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}$`)
	tableRE  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,62}(\.[A-Za-z_][A-Za-z0-9_]{0,62})?$`)
)

// Validate reports everything that is wrong with s.
func (s *Sync) Validate() error {
	var errs []error
	blame := func(field, format string, args ...any) {
		errs = append(errs, &FieldError{Field: field, Msg: fmt.Sprintf(format, args...)})
	}
	errs = append(errs, validateDSN("source.dsn", s.Databases, s.Source.DSN), validateDSN("target.dsn", s.Databases, s.Target.DSN))
	for _, table := range []struct{ field, name string }{
		{"table", s.Table}, {"source.table", s.Source.Table}, {"target.table", s.Target.Table},
	} {
		if table.name != "" && !tableRE.MatchString(table.name) {
			blame(table.field, "%q is not the name of a table: letters, digits and _, with the schema and a dot before it if need be", table.name)
		}
	}
	if s.Table == "" && (s.Source.Table == "" || s.Target.Table == "") {
		blame("table", "is missing")
	}
	if s.Table+s.Source.Table+s.Target.Table != "" && s.Source.DSN == s.Target.DSN && s.sourceTable() == s.targetTable() {
		blame("", "source and target are the same table")
	}
	if len(s.Key) == 0 {
		blame("key", "is missing: the column or columns that tell rows apart")
	}
	if s.Watermark == "" {
		blame("watermark", "is missing: the column that grows when a row is written")
	} else if !columnRE.MatchString(s.Watermark) {
		blame("watermark", "%q is not the name of a column", s.Watermark)
	}
	errs = append(errs, validateColumns("key", s.Key), validateColumns("columns", s.Columns))
	if len(s.Columns) > 0 {
		for _, need := range append(slices.Clone(s.Key), s.Watermark) {
			if need != "" && !slices.Contains(s.Columns, need) {
				blame("columns", "must hold the key and the watermark: %s is missing", need)
			}
		}
	}
	if s.Batch < 0 || s.Batch > maxBatch {
		blame("batch", "%d is not between 1 and %d", s.Batch, maxBatch)
	}
	return errors.Join(errs...)
}

func validateColumns(field string, names []string) error {
	var errs []error
	for i, name := range names {
		switch at := fmt.Sprintf("%s[%d]", field, i); {
		case !columnRE.MatchString(name):
			errs = append(errs, &FieldError{Field: at, Msg: fmt.Sprintf("%q is not the name of a column", name)})
		case slices.Contains(names[:i], name):
			errs = append(errs, &FieldError{Field: at, Msg: fmt.Sprintf("%q is there twice", name)})
		}
	}
	return errors.Join(errs...)
}

func (s *Sync) sourceTable() string {
	if s.Source.Table != "" {
		return s.Source.Table
	}
	return s.Table
}

func (s *Sync) targetTable() string {
	if s.Target.Table != "" {
		return s.Target.Table
	}
	return s.Table
}

func (s *Sync) batch() int {
	if s.Batch == 0 {
		return DefaultBatch
	}
	return s.Batch
}

// spec tells the settings on which the meaning of a checkpoint depends. Under
// other settings the copying begins anew.
func (s *Sync) spec() string {
	return fmt.Sprintf("%s(%s; %s) to %s(%s)", s.sourceTable(), s.Watermark, strings.Join(s.Key, ", "),
		s.targetTable(), strings.Join(s.Columns, ", "))
}

// quoteName makes a name of a table or column safe to stand in SQL. A dot
// separates the schema in the names of tables only.
func quoteName(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func quoteTable(name string) string {
	schema, table, ok := strings.Cut(name, ".")
	if !ok {
		return quoteName(name)
	}
	return quoteName(schema) + "." + quoteName(table)
}

func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quoteName(name)
	}
	return strings.Join(quoted, ", ")
}
