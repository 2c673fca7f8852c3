package access

import (
	"fmt"
	"slices"
	"strings"
)

// Role is how much somebody may do. Each may do what those before it may.
type Role uint8

// The roles there are.
const (
	None     Role = iota // may do nothing that needs a role
	Viewer               // may look at everything
	Operator             // may start, stop and pause
	Admin                // may take leases away and whatever else there is
)

// roleNames lists the roles as they are written in files, in their order.
func roleNames() []string { return []string{"none", "viewer", "operator", "admin"} }

// String returns the role as it is written in files.
func (r Role) String() string {
	if names := roleNames(); int(r) < len(names) {
		return names[r]
	}
	return fmt.Sprintf("Role(%d)", uint8(r))
}

// UnmarshalText reads what String writes.
func (r *Role) UnmarshalText(text []byte) error {
	i := slices.Index(roleNames(), string(text))
	if i < 0 {
		return fmt.Errorf("role %.40q is not one of %s", text, strings.Join(roleNames(), ", "))
	}
	*r = Role(i)
	return nil
}

// ParseRole reads viewer, operator or admin. None is no role that somebody could be
// given, so it is not read.
func ParseRole(s string) (Role, error) {
	i := slices.Index(roleNames(), s)
	if i < int(Viewer) {
		return None, fmt.Errorf("role %.40q is not one of %s", s, strings.Join(roleNames()[Viewer:], ", "))
	}
	return Role(i), nil
}

// Highest returns the most that one of groups gives by roles; None if none does.
func Highest(groups []string, roles map[string]Role) Role {
	most := None
	for _, g := range groups {
		most = max(most, roles[g])
	}
	return most
}
