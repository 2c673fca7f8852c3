package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/sqlite"
	"github.com/solocron/solocron/scheduler"
)

// seedName is how the sample configuration names seedDemo.
const seedName = "demo.seed"

const (
	demoDB     = "var/demo.db"
	demoOrders = 5 // new ones in a run; half as many old ones change
)

// seedDemo makes the sample's small shop: the database if there is none, and
// in each run a few more orders, and a few whose state has changed.
func seedDemo(ctx context.Context, run jobs.Run) (err error) {
	if err := os.MkdirAll(filepath.Dir(demoDB), 0o750); err != nil {
		return err
	}
	db, err := sqlite.Database().Open("file:"+demoDB+"?mode=rwc&_journal_mode=wal", jobs.ReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", demoDB, err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to roll back
	if _, err := tx.ExecContext(ctx, demoSchema); err != nil {
		return fmt.Errorf("%s: %w", demoDB, err)
	}
	for range demoOrders {
		if err := addOrder(ctx, tx); err != nil {
			return err
		}
	}
	changed, err := payOrders(ctx, tx)
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	run.Progress(fmt.Sprintf("%d new orders, %d paid, in %s", demoOrders, changed, demoDB))
	return nil
}

// demoSchema has the table of the shop, and the one that the sample copies it to.
const demoSchema = `
create table if not exists orders (
	id integer primary key, region text not null, customer text not null,
	amount real not null, status text not null, updated_at text not null);
create table if not exists orders_copy (
	id integer primary key, region text not null, customer text not null,
	amount real not null, status text not null, updated_at text not null);
create index if not exists orders_updated_at on orders (updated_at, id);`

var (
	demoRegions   = [...]string{"Berlin", "Lisbon", "Lagos", "Osaka", "Quito", "Toronto"}
	demoCustomers = [...]string{"Adler & Co", "Brücke GmbH", "Chen Trading", "Diallo SA", "Evans Ltd", "Fuji Foods"}
)

func addOrder(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx,
		`insert into orders (region, customer, amount, status, updated_at) values (?, ?, ?, 'open', ?)`,
		demoRegions[rand.IntN(len(demoRegions))], demoCustomers[rand.IntN(len(demoCustomers))],
		float64(500+rand.IntN(50_000))/100, stamp())
	return err
}

// payOrders marks some open orders as paid.
func payOrders(ctx context.Context, tx *sql.Tx) (int64, error) {
	res, err := tx.ExecContext(ctx,
		`update orders set status = 'paid', updated_at = ? where id in (select id from orders where status = 'open' order by random() limit ?)`,
		stamp(), demoOrders/2)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// stamp is now as text that sorts by time.
func stamp() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z") }

// demoPaused is the job of the sample that is paused while it is tried, for demoPause.
const (
	demoPaused = "archive-mails"
	demoPause  = 2 * time.Hour
)

// stage does to the sample what only people do. A cluster that cannot take it is shown
// as it is.
func (t trial) stage(ctx context.Context, f *fleet) {
	if t.file != "" {
		return
	}
	for f.ready() != nil {
		if !rest(ctx, 100*time.Millisecond) {
			return
		}
	}
	_, err := f.members()[0].daemon.Engine().Pause(ctx, demoPaused, time.Now().Add(demoPause),
		scheduler.Order{By: "dev", Note: "the mail server moves"})
	if err != nil {
		f.log.Debug("sample not staged", "job", demoPaused, "err", err)
	}
}
