// Package effective writes a configuration out as it is in force: what its file, the
// environment and flags say, with a comment that tells which, and what holds where they
// say nothing. What it writes can be loaded and means the same, but for secrets: those
// are never read, and one that stands in the file is not shown. It knows no field by
// name but those whose default depends on others.
package effective
