package redisjournal

import (
	"context"
	"crypto/sha1"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed history.lua
	historyText string
	//go:embed record.lua
	recordText string
	//go:embed find.lua
	findText string
	//go:embed ack.lua
	ackText string
	//go:embed letters.lua
	lettersText string
	//go:embed adopt.lua
	adoptText string
	//go:embed queue.lua
	queueText string
	//go:embed put.lua
	putText string
	//go:embed poll.lua
	pollText string
	//go:embed queued.lua
	queuedText string
	//go:embed begin.lua
	beginText string
	//go:embed putback.lua
	putBackText string
	//go:embed withdraw.lua
	withdrawText string
	//go:embed settle.lua
	settleText string
	//go:embed stop.lua
	stopText string
	//go:embed checkpoint.lua
	checkpointText string
)

// script is one Lua script, known to the server by the SHA-1 of its text.
type script struct{ text, sha string }

func newScript(parts ...string) *script {
	text := strings.Join(parts, "")
	sum := sha1.Sum([]byte(text))
	return &script{text: text, sha: hex.EncodeToString(sum[:])}
}

type scripts struct {
	record, find, ack, letters, adopt, enrol, checkpoint      *script
	put, poll, queued, begin, putBack, withdraw, settle, stop *script
}

func newScripts() scripts {
	return scripts{
		record: newScript(historyText, recordText), find: newScript(historyText, findText), ack: newScript(historyText, ackText),
		letters: newScript(lettersText), adopt: newScript(adoptText), enrol: newScript(enrolText), checkpoint: newScript(checkpointText),
		put: newScript(queueText, putText), poll: newScript(queueText, pollText), queued: newScript(queueText, queuedText),
		begin: newScript(queueText, beginText), putBack: newScript(queueText, putBackText), withdraw: newScript(queueText, withdrawText),
		settle: newScript(queueText, settleText), stop: newScript(queueText, stopText),
	}
}

// call is one run of a script, and what came of it.
type call struct {
	script *script
	args   []any // of the command
	cmd    *redis.Cmd
}

func newCall(s *script, keys []string, room int) *call {
	c := &call{script: s, args: make([]any, 0, 3+len(keys)+room)}
	c.args = append(c.args, "evalsha", s.sha, strconv.Itoa(len(keys)))
	for _, k := range keys {
		c.args = append(c.args, k)
	}
	return c
}

func (c *call) with(args ...any) *call {
	c.args = append(c.args, args...)
	return c
}

// send runs all calls in one pipeline. A server that does not know a script has
// certainly not run it: those calls are sent once more, with the text. It returns
// the first error of any; each call has its own.
func (j *Journal) send(ctx context.Context, calls ...*call) error {
	j.process(ctx, calls)
	var unknown []*call
	for _, c := range calls {
		if redis.HasErrorPrefix(c.cmd.Err(), "NOSCRIPT") {
			c.args[0], c.args[1] = "eval", c.script.text
			unknown = append(unknown, c)
		}
	}
	if len(unknown) > 0 {
		j.process(ctx, unknown)
	}
	for _, c := range calls {
		if err := c.cmd.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (j *Journal) process(ctx context.Context, calls []*call) {
	for _, c := range calls {
		c.cmd = redis.NewCmd(ctx, c.args...)
	}
	if len(calls) == 1 {
		_ = j.rdb.Process(ctx, calls[0].cmd) // the outcome is the command's
		return
	}
	pipe := j.rdb.Pipeline()
	for _, c := range calls {
		_ = pipe.Process(ctx, c.cmd) // queues only
	}
	_, _ = pipe.Exec(ctx) // the first error of any command; each is asked for its own
}
