package cluster

import (
	"context"
	"os"
	"testing"

	"github.com/redis/go-redis/v9"
)

// quiet keeps go-redis from writing each failed dial to standard error.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func TestMain(m *testing.M) {
	redis.SetLogger(quiet{})
	os.Exit(m.Run())
}
