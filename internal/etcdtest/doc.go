// Package etcdtest runs real etcd processes for tests: one member or a cluster,
// on free ports of the loopback interface, each to be paused, resumed and killed
// alone. It needs the etcd program and nothing else.
package etcdtest
