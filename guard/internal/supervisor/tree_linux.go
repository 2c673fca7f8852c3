package supervisor

import "syscall"

// maxProcesses bounds what one look at the processes of the machine keeps; the
// limit of Linux is 4 Mi.
const maxProcesses = 1 << 22

// relation is a process and its parent.
type relation struct{ pid, parent int }

// signalTree sends sig to every descendant of process root. One that ends or is
// forked meanwhile is missed: whoever wants all dead asks again.
func signalTree(root int, sig syscall.Signal) {
	for _, pid := range descendants(root, processes()) {
		_ = syscall.Kill(pid, sig)
	}
}

// descendants returns the children of root among all, their children, and so on.
func descendants(root int, all []relation) []int {
	children := make(map[int][]int, len(all))
	for _, r := range all {
		children[r.parent] = append(children[r.parent], r.pid)
	}
	found := append([]int(nil), children[root]...)
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}

// processes reads the processes of the machine off /proc.
func processes() []relation {
	dir, err := syscall.Open("/proc", syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(dir)
	var (
		all     []relation
		entries = make([]byte, 32<<10)
		stat    = make([]byte, 512)
	)
	for len(all) < maxProcesses {
		n, err := syscall.ReadDirent(dir, entries)
		if err != nil || n <= 0 {
			return all
		}
		_, _, names := syscall.ParseDirent(entries[:n], -1, nil)
		for _, name := range names {
			if pid, ok := number(name); ok {
				if n := slurp("/proc/"+name+"/stat", stat); n > 0 {
					all = append(all, relation{pid, parentOf(stat[:n])})
				}
			}
		}
	}
	return all
}

// parentOf reads the parent from a line of /proc/PID/stat: the second word after
// the name, which stands in brackets and may hold any.
func parentOf(stat []byte) int {
	i := len(stat) - 1
	for i >= 0 && stat[i] != ')' {
		i--
	}
	if i < 0 || i+4 > len(stat) {
		return 0
	}
	rest := stat[i+4:] // ") S "
	end := 0
	for end < len(rest) && rest[end] != ' ' {
		end++
	}
	parent, _ := number(string(rest[:end]))
	return parent
}

// number reads a decimal number of at most 9 digits.
func number(s string) (n int, ok bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// slurp reads what one read gives of the file at path and returns its length.
func slurp(path string, b []byte) int {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, b)
	if err != nil {
		return 0
	}
	return n
}
