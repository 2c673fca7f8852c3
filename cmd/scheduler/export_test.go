package main

// Main lets the test binary be the program.
var Main = main
