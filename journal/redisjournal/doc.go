// Package redisjournal is a journal in Redis, and lets replicas know of each
// other through it.
//
// Journal keeps what is to be remembered: requests in one hash slot, what
// belongs to a job in one of 16, by the job's name. Each step is one Lua script in
// one slot, so that it happens whole or not at all, on Redis' clock.
//
// Members is a sorted set of heartbeats and a channel for news. All of that are
// hints; while Redis is away the last known replicas count as live.
package redisjournal
