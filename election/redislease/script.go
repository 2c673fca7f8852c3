package redislease

import (
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"
)

var (
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
}

type scripts struct {
	claim, start, renew, release, read, revoke, gate *script
}

func newScripts() scripts {
	batch := preludeText + batchText
	return scripts{
		claim:   newScript(1, batch, ringText, seldomText, claimText),
		start:   newScript(1, batch, holdText, startText),
		renew:   newScript(1, batch, holdText, renewText),
		release: newScript(1, batch, ringText, releaseText),
		read:    newScript(readWidth, preludeText, readText),
		revoke:  newScript(1, preludeText, revokeText),
		gate:    newScript(1, preludeText, gateText),
	}
}

func newScript(width int, parts ...string) *script {
	text := strings.Join(parts, "")
	sum := sha1.Sum([]byte(text))
	return &script{text: text, sha: hex.EncodeToString(sum[:]), width: width}
}

// command begins the arguments of a run over so many keys, with room for more.
func (s *script) command(keys, more int) []any {
	return append(make([]any, 0, 3+more), "evalsha", s.sha, strconv.Itoa(keys))
}
