package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"time"
)

// fenceTable is the table of checkpoints. Whoever must not create tables finds
// here what somebody else has to create.
const fenceTable = `CREATE TABLE IF NOT EXISTS solocron_sync (
	job            varchar(200) PRIMARY KEY,
	token          bigint NOT NULL,
	spec           text NOT NULL,
	watermark      text NOT NULL,
	watermark_type text NOT NULL,
	position       text NOT NULL,
	copied         bigint NOT NULL,
	updated_at     text NOT NULL
)`

// ensureFenceTable makes the table if it is missing. Creating may fail although
// the table is there: for want of rights, or because another one was faster.
func ensureFenceTable(ctx context.Context, db *database) error {
	_, createErr := db.ExecContext(ctx, fenceTable)
	if createErr == nil {
		return nil
	}
	if _, err := db.ExecContext(ctx, "SELECT token FROM solocron_sync WHERE 1 = 0"); err != nil {
		return fmt.Errorf("create table solocron_sync: %w", createErr)
	}
	return nil
}

// fence is a job's row in the table of checkpoints, as one run sees it.
type fence struct {
	job   string
	token int64
	spec  string
}

// checkpoint is what the row holds.
type checkpoint struct {
	token    int64
	spec     string
	position string
}

// check locks the row until the end of tx and refuses a run with an older
// token. SQLite has locked the whole file at BEGIN IMMEDIATE.
func (f fence) check(ctx context.Context, tx *sql.Tx, d Dialect) (checkpoint, error) {
	var c checkpoint
	_, err := tx.ExecContext(ctx, bind(d, `INSERT INTO solocron_sync
		(job, token, spec, watermark, watermark_type, position, copied, updated_at)
		VALUES (:1, :2, '', '', '', '', 0, :3) ON CONFLICT (job) DO NOTHING`), f.job, f.token, nowText())
	if err != nil {
		return c, fmt.Errorf("checkpoint: %w", err)
	}
	query := "SELECT token, spec, position FROM solocron_sync WHERE job = :1"
	if d == Postgres {
		query += " FOR UPDATE"
	}
	err = tx.QueryRowContext(ctx, bind(d, query), f.job).Scan(&c.token, &c.spec, &c.position)
	if err != nil {
		return c, fmt.Errorf("checkpoint: %w", err)
	}
	if c.token > f.token {
		return c, &FencedError{Job: f.job, Token: f.token, Stored: c.token}
	}
	return c, nil
}

// resume puts this run's token into the row and returns the position in it, or
// the beginning if the job was another one then.
func (f fence) resume(ctx context.Context, tx *sql.Tx, d Dialect, stored checkpoint) (position, error) {
	if stored.spec != f.spec {
		_, err := tx.ExecContext(ctx, bind(d, `UPDATE solocron_sync SET token = :2, spec = :3, watermark = '',
			watermark_type = '', position = '', copied = 0, updated_at = :4 WHERE job = :1`), f.job, f.token, f.spec, nowText())
		return nil, err
	}
	at, err := decodePosition(stored.position)
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, bind(d, "UPDATE solocron_sync SET token = :2, updated_at = :3 WHERE job = :1"), f.job, f.token, nowText())
	return at, err
}

// advance moves the checkpoint behind a batch of rows.
func (f fence) advance(ctx context.Context, tx *sql.Tx, d Dialect, at position, rows int) error {
	watermark, kind, whole, err := at.encode()
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, bind(d, `UPDATE solocron_sync SET token = :2, watermark = :3, watermark_type = :4,
		position = :5, copied = copied + :6, updated_at = :7 WHERE job = :1`),
		f.job, f.token, watermark, kind, whole, rows, nowText())
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

var numberedRE = regexp.MustCompile(`:(\d+)`)

// bind writes the placeholders :1, :2 of one of our own statements in d's notation.
func bind(d Dialect, text string) string {
	if d == Postgres {
		return numberedRE.ReplaceAllString(text, "$$$1")
	}
	return numberedRE.ReplaceAllString(text, "?$1")
}

func nowText() string { return time.Now().UTC().Format(time.RFC3339) }
