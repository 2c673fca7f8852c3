// Package cluster is the whole world in one process: replicas of the real
// engine over the real Redis client, one Redis, and a network that can be slow
// or cut, all under the fake time of testing/synctest.
//
// A Witness sees every run and every verdict of all replicas and says which
// promise was broken, if any.
package cluster
