// Package page serves the web page: the built files below dist, which are part of
// the program, under any base path. It knows nothing of jobs: the page asks the API
// for all it shows, with the rights of whoever looks at it, so the files themselves
// need none.
//
// The files are made from web/ by `make page` and committed, so that building the
// program needs no Node.
package page
