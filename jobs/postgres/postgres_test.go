package postgres_test

import (
	"strings"
	"testing"

	"github.com/solocron/solocron/internal/pgtest"
	"github.com/solocron/solocron/jobs"
	"github.com/solocron/solocron/jobs/postgres"
)

func TestAddressThatIsNoneIsRefusedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{"postgres://me:hunter22@[/", "postgres://me:hunter22@h/db?sslmode=hunter22", "postgres://me:hunter22@h:port/"} {
		db, err := postgres.Database().Open(dsn, jobs.ReadOnly)
		if err == nil {
			db.Close()
			t.Errorf("%s is opened", dsn)
		} else if strings.Contains(err.Error(), "hunter22") {
			t.Errorf("the password is in %v", err)
		}
	}
}

func TestSessionIsInUTCAndNamedUnlessTheDSNSaysOtherwise(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	for params, want := range map[string]string{
		"": "UTC solocron",
		"&timezone=Asia/Tokyo&application_name=books": "Asia/Tokyo books",
	} {
		db, err := postgres.Database().Open(server.DSN("postgres")+params, jobs.ReadWrite)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		err = db.QueryRowContext(t.Context(), "SELECT current_setting('TimeZone') || ' ' || current_setting('application_name')").Scan(&got)
		if db.Close(); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", params, got, err, want)
		}
	}
}
