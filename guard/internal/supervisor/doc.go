// Package supervisor is what a guard does: it starts one program, ends it when
// a deadline comes or the scheduler is gone, reaps all that the program leaves
// behind, and tells how it ended.
//
// It imports package syscall only. So it can run before the packages of its
// program are initialised, which in a program as large as ours takes longer and
// more memory than all that a guard does.
//
// A guard has two threads that wait: one in wait4 for processes that end, one in
// ppoll for deadlines, the clock and what the first has seen. Being the
// subreaper of its descendants it becomes the parent of every one whose parent
// ends, whatever session that has moved to. So when it has no child any more,
// no process is left of the run.
package supervisor
