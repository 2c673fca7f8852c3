// Package schema describes the configuration file as a JSON Schema, so that
// editors complete and check it while it is written.
//
// Keys, types and defaults come from config.Layout, which is made from the types
// that the loader fills; what those cannot say (descriptions, words, bounds) is in
// the tables of this package, and a test finds a key that has no entry. The schema
// accepts what the loader accepts, but for words in unusual capitals and empty
// texts that are as good as left out. The loader refuses more: a schema knows
// neither other jobs nor whether a schedule ever comes.
package schema
