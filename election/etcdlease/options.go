package etcdlease

import (
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

const (
	keepAliveTime    = 10 * time.Second // gRPC allows no less
	keepAliveTimeout = 3 * time.Second
)

// Options returns settings for a client of the etcd members at endpoints, such
// as http://127.0.0.1:2379. Add a user name and password, or TLS, as needed. Give
// the lease store a client of its own. The client logs nothing: what goes wrong is
// in the answers.
func Options(endpoints []string, try time.Duration) clientv3.Config {
	return clientv3.Config{
		Endpoints:            endpoints,
		DialTimeout:          try,
		DialKeepAliveTime:    keepAliveTime,
		DialKeepAliveTimeout: keepAliveTimeout,
		Logger:               zap.NewNop(),
	}
}
