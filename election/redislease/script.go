package redislease

import (
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
	"strings"
)

var (
	//go:embed first.lua
	firstText string
	//go:embed lock.lua
	lockText string
	//go:embed unlock.lua
	unlockText string
	//go:embed prelude.lua
	preludeText string
	//go:embed batch.lua
	batchText string
	//go:embed ring.lua
	ringText string
	//go:embed seldom.lua
	seldomText string
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
	item  int // bytes of an item in the arguments, about
}

type scripts struct {
	claim, start, renew, release, read, revoke, gate *script
}

// newScripts puts the scripts together. What is done for a plain lock stands before
// everything else, so that it costs no more than a script made for that alone.
func newScripts() scripts {
	plain, batch := firstText+preludeText, preludeText+batchText
	return scripts{
		claim:   newScript(1, 97, firstText, lockText, batch, ringText, seldomText, claimText),
		start:   newScript(1, 64, firstText, batch, holdText, startText),
		renew:   newScript(1, 64, firstText, batch, holdText, renewText),
		release: newScript(1, 52, firstText, unlockText, batch, ringText, releaseText),
		read:    newScript(readWidth, 0, plain, readText),
		revoke:  newScript(1, 0, plain, revokeText),
		gate:    newScript(1, 0, plain, gateText),
	}
}

func newScript(width, item int, parts ...string) *script {
	text := strings.Join(parts, "")
	sum := sha1.Sum([]byte(text))
	return &script{text: text, sha: hex.EncodeToString(sum[:]), width: width, item: item}
}

// command begins the arguments of a run over so many keys, at the end of args.
func (s *script) command(args []any, keys int) []any {
	return append(args, "evalsha", &s.sha, keys)
}
