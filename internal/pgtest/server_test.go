package pgtest_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/solocron/solocron/internal/pgtest"
)

func TestServerAnswersAndIsGoneAfterTheTest(t *testing.T) {
	var dsn string
	t.Run("while the test runs", func(t *testing.T) {
		server := pgtest.Start(t)
		dsn = server.NewDatabase(t)
		var got int
		if err := server.Open(t, dsn).QueryRowContext(t.Context(), "SELECT 40 + 2").Scan(&got); err != nil || got != 42 {
			t.Fatalf("got %d, %v; want 42", got, err)
		}
	})
	if dsn == "" {
		t.SkipNow() // the part above was
	}
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.PingContext(context.Background()); err == nil {
		t.Error("the server still answers")
	}
}
