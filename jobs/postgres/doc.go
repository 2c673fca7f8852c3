// Package postgres lets reports and syncs use PostgreSQL: hand Database to
// jobs.Kinds. It is apart from package jobs because of the size of its driver,
// github.com/jackc/pgx/v5.
package postgres
