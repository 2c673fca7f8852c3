// Package notifytest is the contract of a notify.Store as tests: every store passes
// the same suite.
package notifytest
