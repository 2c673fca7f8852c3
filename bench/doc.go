// Command bench measures the promises about speed: what a claim costs, how late
// jobs start when thousands are due in the same second on three replicas, what
// that costs Redis, and what a replica weighs with 100,000 jobs.
//
// Figures of different machines say little, so whatever can be a ratio is one,
// of two things measured alternately in the same run: a claim against a bare
// EVALSHA, the engine against hand-written and published peers. The peers live
// in this module, so that the product does not depend on them.
//
// The program runs itself again for each replica: see child.go.
package main
