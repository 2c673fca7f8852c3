// Package access says who asks: it makes of a request an identity, a name with a role,
// or a refusal. It knows bearer tokens, the signed cookie of the page, the headers of a
// trusted proxy, client certificates and, through package oidc, logins elsewhere.
//
// What a role may do is not known here, nor any route.
package access
