// Package pid1 is what process 1 of a container has to be: it passes signals on
// and takes leave of every orphan that ends, or the table of processes fills up
// with the dead. A guard does that for what it runs; what outlives its guard is
// left to process 1.
//
// The scheduler itself cannot do it: whoever waits for any child takes the ends of
// its own commands away from those who wait for them. So process 1 starts the
// program once more and does nothing else. That costs some 10 MB.
package pid1
