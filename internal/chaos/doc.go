// Package chaos holds the tests that let whole replicas, without their processes,
// meet a real Redis over a network that misbehaves: engines, leases and journal
// as in production, jobs as Go functions. SOLOCRON_CHAOS=1 makes them long. What
// needs processes is in package e2e.
package chaos
