// Package oidc signs people in at an OpenID Connect issuer: the authorization code
// flow with PKCE, a state and a nonce. It is an access.Elsewhere. It is a package of
// its own so that a program that does not want it does not link its libraries.
//
// The issuer is first asked when somebody signs in: a scheduler must start, and run
// its jobs, while the issuer is away.
package oidc
