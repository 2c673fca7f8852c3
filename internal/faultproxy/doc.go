// Package faultproxy stands between a client and a server on loopback and makes
// the network misbehave: slow, silent in one direction or both, losing or
// inventing replies, or leading to another server. It knows nothing of what is
// said over it: a chunk is what one read of the connection returns.
package faultproxy
