package access

import (
	"net/http"
	"net/netip"
	"strings"
)

// maxHops is how many addresses of X-Forwarded-For are looked at.
const maxHops = 16

// peer is the address at the other end of the connection; zero if it has none.
func peer(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return at.Addr().Unmap().WithZone("")
}

// Address returns where r came from: the other end of the connection or, when that
// is a trusted proxy, the last address in X-Forwarded-For that is none. It is for
// the audit, not for granting anything.
func (a *Access) Address(r *http.Request) netip.Addr {
	from := peer(r)
	if !a.cfg.Proxy.speaks(r) {
		return from
	}
	rest := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for range maxHops {
		var hop string
		if i := strings.LastIndexByte(rest, ','); i >= 0 {
			rest, hop = rest[:i], rest[i+1:]
		} else {
			rest, hop = "", rest
		}
		at, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		from = at.Unmap().WithZone("")
		if !a.cfg.Proxy.trusts(from) {
			break
		}
	}
	return from
}

// source is what bad tokens are counted against: an address, or the 64 bits that
// one customer of IPv6 has at least.
func (a *Access) source(r *http.Request) netip.Prefix {
	addr := a.Address(r)
	bits := 64
	if addr.Is4() {
		bits = 32
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{} // without an address: all of them together
	}
	return p
}
