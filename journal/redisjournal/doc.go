// Package redisjournal lets replicas know of each other through Redis: a sorted
// set of heartbeats and a channel for news. All of it are hints; while Redis is
// away the last known replicas count as live.
package redisjournal
