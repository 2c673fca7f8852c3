// Package daemon is one replica, assembled: the engine, its elector, the
// membership, the HTTP listener, and the order in which they begin and end.
// It chooses no store and reads no flags or signals: its caller hands it both.
package daemon
