package redislease

import (
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
)

var (
	//go:embed prelude.lua
	preludeText string
	//go:embed claim.lua
	claimText string
	//go:embed hold.lua
	holdText string
	//go:embed start.lua
	startText string
	//go:embed renew.lua
	renewText string
	//go:embed release.lua
	releaseText string
	//go:embed read.lua
	readText string
	//go:embed revoke.lua
	revokeText string
	//go:embed gate.lua
	gateText string
)

// script is one Lua script, known to the server by the SHA-1 of its text.
type script struct {
	text  string
	sha   string
	width int // strings in the reply for each item
}

type scripts struct {
	claim, start, renew, release, read, revoke, gate *script
}

func newScripts() scripts {
	hold := preludeText + holdText
	return scripts{
		claim:   newScript(preludeText+claimText, 2),
		start:   newScript(hold+startText, 1),
		renew:   newScript(hold+renewText, 1),
		release: newScript(preludeText+releaseText, 1),
		read:    newScript(preludeText+readText, readWidth),
		revoke:  newScript(preludeText+revokeText, 1),
		gate:    newScript(preludeText+gateText, 1),
	}
}

func newScript(text string, width int) *script {
	sum := sha1.Sum([]byte(text))
	return &script{text: text, sha: hex.EncodeToString(sum[:]), width: width}
}
