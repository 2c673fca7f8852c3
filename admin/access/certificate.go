package access

import "net/http"

// byCertificate returns who the client certificate of r names: the first URI with a
// role in names, else the common name. That the certificate is good was seen to when
// the connection was made; one that was not verified names nobody.
func byCertificate(r *http.Request, names map[string]Role) (Identity, bool) {
	if len(names) == 0 || r.TLS == nil || len(r.TLS.VerifiedChains) == 0 || len(r.TLS.VerifiedChains[0]) == 0 {
		return Identity{}, false
	}
	leaf := r.TLS.VerifiedChains[0][0]
	for _, uri := range leaf.URIs {
		if role, ok := names[uri.String()]; ok && fit(uri.String()) {
			return Identity{Name: uri.String(), Role: role, Via: ViaMTLS}, true
		}
	}
	if cn := leaf.Subject.CommonName; fit(cn) {
		return Identity{Name: cn, Role: names[cn], Via: ViaMTLS}, true
	}
	return Identity{}, false
}
