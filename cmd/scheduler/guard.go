package main

// The program is its own guard: started as "scheduler guard", with two pipes, it
// is one before main and most packages have begun. The reasons and figures are in
// package early.
import _ "github.com/solocron/solocron/guard/early"
