package supervisor

import (
	"runtime"
	"syscall"

	"github.com/solocron/solocron/guard/internal/wire"
)

// word is the only argument of a guard.
const word = "guard"

// exitMisused is the exit code of a guard that nobody gave pipes to.
const exitMisused = 2

// Main makes this process a guard if it was started as one, and then does not
// return; else it returns true. It must be called on the main goroutine.
func Main() bool {
	if !called() {
		return true
	}
	if !isPipe(wire.OrdersFD) || !isPipe(wire.RecordsFD) {
		_, _ = syscall.Write(2, []byte("guard: a scheduler starts this for each command that it runs; there is nothing to be done by hand\n"))
		syscall.Exit(exitMisused)
	}
	// The program dies with the thread that started it, and this one stays.
	runtime.LockOSThread()
	syscall.Exit(serve())
	return false
}

// called reports whether the command line is that of a guard.
func called() bool {
	line := make([]byte, 4096)
	n := slurp("/proc/self/cmdline", line)
	return isCall(line[:n])
}

// isCall reports whether line, whose arguments end in NUL each, is a program
// name and the word, and nothing else.
func isCall(line []byte) bool {
	i := 0
	for i < len(line) && line[i] != 0 {
		i++
	}
	return i < len(line) && string(line[i+1:]) == word+"\x00"
}

func isPipe(fd int) bool {
	var st syscall.Stat_t
	return syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFIFO
}
