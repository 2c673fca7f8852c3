package preflight

import (
	"fmt"
	"strconv"
	"strings"
)

// Server is what a server says of itself. A fact that it does not tell is missing.
type Server struct {
	Info   map[string]string // of INFO: see Facts
	Config map[string]string // of CONFIG GET
	Wanted Wanted            // of its replicas
}

// The oldest versions: with the first, scripts may ask for the time and write; the
// second is the oldest that is tested.
const (
	leastMajor  = 5
	testedMajor = 7
)

// Judge returns the rows about what s says of itself.
func Judge(s Server) []Row {
	rows := []Row{version(s), role(s), eviction(s), persistence(s), replication(s)}
	return append(rows, Waits(s.Info, s.Wanted)...)
}

func version(s Server) Row {
	r := Row{Check: "version", Found: "redis " + s.Info["redis_version"]}
	if name, fork := s.Info["server_name"]; fork && name != "redis" {
		r.Found = name + " " + s.Info[name+"_version"] + ", speaks redis " + s.Info["redis_version"]
	}
	head, _, _ := strings.Cut(s.Info["redis_version"], ".")
	switch major, err := strconv.Atoi(head); {
	case err != nil:
		r.State, r.Found, r.Fix = Unknown, "the server does not tell its version", "allow INFO"
	case major < leastMajor:
		r.State, r.Fix = Fail, fmt.Sprintf("use %d.0 or later: older ones refuse scripts that ask for the time and then write", leastMajor)
	case major < testedMajor:
		r.State, r.Fix = Warn, fmt.Sprintf("use %d.0 or later: older ones are not tested", testedMajor)
	default:
		r.State = OK
	}
	return r
}

func role(s Server) Row {
	switch role, known := s.Info["role"]; {
	case s.Info["redis_mode"] == "sentinel":
		return Row{"role", Fail, "a sentinel", "these are sentinels: set redis.sentinel: { master: NAME }, the name that they know the master by"}
	case !known:
		return Row{"role", Unknown, "the server does not tell its role", "allow INFO, to be sure that it is a master"}
	case role != "master":
		return Row{"role", Fail, role, "connect to the master: a replica refuses every lease"}
	}
	return Row{Check: "role", State: OK, Found: "master"}
}

func eviction(s Server) Row {
	policy, known := s.Info["maxmemory_policy"]
	if !known {
		policy, known = s.Config["maxmemory-policy"]
	}
	switch {
	case !known:
		return Row{"maxmemory-policy", Unknown, "the server does not tell it", "allow INFO, to be sure that leases are never evicted"}
	case policy != "noeviction":
		return Row{
			"maxmemory-policy", Warn, policy,
			"CONFIG SET maxmemory-policy noeviction: any other may evict a lease, and its job runs twice",
		}
	}
	return Row{Check: "maxmemory-policy", State: OK, Found: policy}
}

func persistence(s Server) Row {
	const check = "persistence"
	save, told := s.Config["save"]
	switch aof, known := s.Info["aof_enabled"]; {
	case aof == "1":
		return Row{Check: check, State: OK, Found: "appendonly yes"}
	case !known || !told:
		return Row{check, Unknown, "the server does not tell how it saves", "allow INFO and CONFIG GET, or make sure of appendonly yes"}
	case save == "":
		return Row{
			check, Warn, "nothing is saved",
			"set appendonly yes: a restart forgets pauses, requests, history and which ticks have run",
		}
	}
	return Row{
		check, Warn, "snapshots only (save " + save + ")",
		"set appendonly yes: a restart goes back to the last snapshot, and leases newer than it are closed for a term",
	}
}

func replication(s Server) Row {
	const check = "min-replicas-to-write"
	least, told := s.Config[check]
	switch replicas, known := s.Info["connected_slaves"]; {
	case !known:
		return Row{check, Unknown, "the server does not tell its replicas", "allow INFO"}
	case replicas == "0":
		return Row{Check: check, State: OK, Found: "no replicas: nothing can fail over to old data"}
	case !told:
		return Row{check, Unknown, replicas + " replicas, and the server does not tell the setting", "allow CONFIG GET, or make sure that it is 1 or more"}
	case least == "0":
		return Row{
			check, Warn, "0 with " + replicas + " replicas",
			"CONFIG SET min-replicas-to-write 1 and min-replicas-max-lag 10: else a master that is cut off goes on granting",
		}
	default:
		return Row{Check: check, State: OK, Found: least + " of " + replicas + " replicas"}
	}
}
