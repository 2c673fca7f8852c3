package jobs

import (
	"bytes"
	"os"
	"strconv"
)

// onlyZombies reports whether every process of group pgid is dead and merely
// waits for a parent that does not care. Such a group still answers to signals.
func onlyZombies(pgid int) bool {
	dir, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return false
	}
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it has just ended
		}
		if state, group := statFields(stat); group == pgid && state != 'Z' && state != 'X' {
			return false
		}
	}
	return true
}

// statFields returns the state and the process group from a line of
// /proc/PID/stat. The name before them may hold anything, even brackets.
func statFields(stat []byte) (state byte, group int) {
	_, rest, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte{' '})
	fields := bytes.Fields(rest)
	if len(fields) < 3 || len(fields[0]) != 1 {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[2]))
	return fields[0][0], group
}
