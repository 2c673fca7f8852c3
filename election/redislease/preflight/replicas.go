package preflight

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Wanted is what the replicas of a server have to do before a lease counts.
type Wanted struct {
	Replicas int  // that must have it; 0: nobody is waited for
	AOF      bool // they, and the server, must have it in their append-only files

	Timeout time.Duration // how long they are waited for
	Try     time.Duration // how long the answer may take
}

// overdue is by how much a server may exceed the time-out of a WAIT: with hz 10 it
// looks at its clock ten times a second.
const overdue = 100 * time.Millisecond

// maxLag is how many seconds ago a replica that counts was last heard of: what
// min-replicas-max-lag is by default.
const maxLag = 10

// Online counts the replicas that follow a server and have been heard of lately, by
// what its INFO says; false if it does not say.
func Online(facts map[string]string) (n int, known bool) {
	if _, known = facts["connected_slaves"]; !known {
		return 0, false
	}
	for name, value := range facts {
		number, ok := strings.CutPrefix(name, "slave")
		if _, err := strconv.Atoi(number); !ok || err != nil || !strings.Contains(value, ",state=online") {
			continue
		}
		_, text, _ := strings.Cut(value, ",lag=")
		text, _, _ = strings.Cut(text, ",")
		if lag, err := strconv.Atoi(text); err == nil && lag <= maxLag {
			n++
		}
	}
	return n, true
}

// Replicas judges whether the replicas can do what is wanted.
func Replicas(facts map[string]string, want Wanted) Row {
	const check = "replicas"
	n, known := Online(facts)
	found := fmt.Sprintf("%d follow, %d are waited for", n, want.Replicas)
	switch {
	case !known:
		return Row{check, Unknown, "the server does not tell its replicas", "allow INFO"}
	case n < want.Replicas:
		return Row{
			check, Fail, found,
			fmt.Sprintf("connect %d more, or lower redis.waitReplicas: until then every claim is undone as unreplicated", want.Replicas-n),
		}
	case want.Timeout+overdue >= want.Try:
		return Row{
			check, Warn, found + " for " + short(want.Timeout),
			fmt.Sprintf("keep redis.waitTimeout more than %s below lease.tryTimeout %s: a server that waits in vain answers up to that much later, to nobody", overdue, want.Try),
		}
	case facts["min_slaves_good_slaves"] == "":
		return Row{
			check, Warn, found,
			"CONFIG SET min-replicas-to-write 1 and min-replicas-max-lag 10: a master that is cut off then refuses at once instead of waiting",
		}
	}
	return Row{Check: check, State: OK, Found: found}
}

// CheckWaitAOF is the check of the row of WaitAOF.
const CheckWaitAOF = "waitaof"

// The first version with WAITAOF.
const (
	aofMajor = 7
	aofMinor = 2
)

// WaitAOF judges whether a server can wait for append-only files.
func WaitAOF(facts map[string]string) Row {
	version := facts["redis_version"]
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return Row{CheckWaitAOF, Unknown, "the server does not tell its version", "allow INFO"}
	}
	found := "redis " + version + ", appendonly " + map[string]string{"1": "yes", "0": "no"}[facts["aof_enabled"]]
	switch {
	case major < aofMajor || major == aofMajor && minor < aofMinor:
		return Row{CheckWaitAOF, Fail, found, fmt.Sprintf("use %d.%d or later, which has WAITAOF, or switch redis.waitAOF off", aofMajor, aofMinor)}
	case facts["aof_enabled"] == "0":
		return Row{CheckWaitAOF, Fail, found, "CONFIG SET appendonly yes, on the replicas too, or switch redis.waitAOF off"}
	case facts["aof_enabled"] != "1":
		return Row{CheckWaitAOF, Unknown, "the server does not tell whether it keeps an append-only file", "allow INFO"}
	}
	return Row{Check: CheckWaitAOF, State: OK, Found: found}
}

// Waits returns the rows about what is wanted of the replicas; none if nothing is.
func Waits(facts map[string]string, want Wanted) []Row {
	if want.Replicas == 0 {
		return nil
	}
	rows := []Row{Replicas(facts, want)}
	if want.AOF {
		rows = append(rows, WaitAOF(facts))
	}
	return rows
}
