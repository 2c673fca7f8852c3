// Package importer turns what other schedulers run into a file for this one:
// crontabs, and CronJob objects of Kubernetes. Beside the YAML it gives a list of
// notes: what was left out, what means something else here, and what is good to know.
//
// What cannot be translated does not stop the rest: it stays in the file as a
// comment with its line number. Every file with a job is one that config.Parse takes.
// Nothing is run, looked up or sent; time zones are checked against the built-in list.
package importer
