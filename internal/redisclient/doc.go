// Package redisclient makes the clients that a replica reaches Redis with: one
// server, the master that sentinels name, or a Cluster; with TLS, users and
// passwords whose files are read again for each connection. What it makes is bounded
// in time as package redislease demands. It does not know what is kept in Redis.
package redisclient
