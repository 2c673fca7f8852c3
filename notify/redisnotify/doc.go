// Package redisnotify is a notify.Store in Redis. What is known of a job is one hash;
// beside them are an index of those that are to be looked at again, and an outbox.
// All keys have one hash tag, so that a change and the messages that it makes are one
// script, which happens whole or not at all. It knows no client: scripts are run by
// whoever makes a Store.
package redisnotify
