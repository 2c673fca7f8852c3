// Package journal declares what the cluster tells itself: which replicas live,
// and which ticks they have just started. What is here are hints. They save
// work; no run is ever decided by them.
package journal
