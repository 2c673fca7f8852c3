// Package manual writes what the command line says of itself as man pages and as
// Markdown, one file for each command.
package manual
