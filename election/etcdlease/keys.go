package etcdlease

import "strings"

// The keys of a job are <prefix>/<namespace>/<job>/ and one of these names. The
// record says who holds the lease. While the lease key exists, it is held; while
// the closed key exists, nobody enters even if the lease is gone. Both stand on
// etcd leases, so that etcd alone says when a time is over.
const (
	recordName = "r"
	leaseName  = "x"
	closedName = "d"
)

func head(prefix, namespace string) string { return prefix + "/" + escape(namespace) + "/" }

// dir is what the keys of a job begin with; dirEnd is the first key after them.
func (s *Store) dir(job string) string { return s.head + escape(job) + "/" }

func dirEnd(dir string) string { return dir[:len(dir)-1] + "0" } // '0' comes after '/'

const hexDigits = "0123456789ABCDEF"

// escape writes any name as one element of a path.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.', c == '~', c == ':':
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}
