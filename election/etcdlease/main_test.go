package etcdlease_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/solocron/solocron/election"
)

// sideBySide is how many tests run at once: they wait more than they work.
const sideBySide = "8"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", sideBySide); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// owner makes the name of an acquisition.
func owner(n int) election.Owner { return election.Owner(fmt.Sprintf("%032x", n)) }

func request(key string, by int) election.Claim {
	return election.Claim{
		Key: key, Owner: owner(by), Mode: election.ForRequest, TTL: 20 * time.Second, LockDelay: time.Second,
		Retention: time.Hour, Holder: fmt.Sprintf("replica %d", by),
	}
}

func holdOf(c *election.Claim, a *election.ClaimAnswer) election.Hold {
	return election.Hold{Key: c.Key, Owner: c.Owner, Token: a.Token, Tick: c.Tick, TTL: c.TTL, Retention: c.Retention, Holder: c.Holder}
}

func endOf(h *election.Hold) election.End {
	return election.End{Key: h.Key, Owner: h.Owner, Token: h.Token, Outcome: election.OutcomeSucceeded, Retention: h.Retention}
}

// writes reports whether a call to etcd is a transaction that changes records.
func writes(method string, req any) bool {
	txn, ok := req.(*pb.TxnRequest)
	return ok && strings.HasSuffix(method, "/Txn") && len(txn.Success) > 0 && txn.Success[0].GetRequestTxn() != nil
}

// between puts something between a client and etcd.
func between(do func(ctx context.Context, method string, req any, send func() error) error) grpc.DialOption {
	return grpc.WithChainUnaryInterceptor(
		func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			return do(ctx, method, req, func() error { return invoke(ctx, method, req, reply, cc, opts...) })
		})
}
