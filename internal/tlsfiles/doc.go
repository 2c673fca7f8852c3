// Package tlsfiles reads certificates, keys and authorities from files in PEM, and
// again once the files have changed, so that what encrypts can be exchanged while
// those who use it go on. Files that do not fit together, as in the middle of an
// exchange, leave in force what was there before. It does not know what is encrypted.
package tlsfiles
