// Package charttest renders the Helm chart as Helm does, and reads what comes out with
// the types of Kubernetes, so that a misspelled field is a fault here and not in a
// cluster.
//
// It is a module of its own: the product depends on neither Helm nor Kubernetes. What
// its tests show, and what they cannot, is in docs/packaging.md.
package charttest
