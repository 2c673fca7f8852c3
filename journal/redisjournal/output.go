package redisjournal

import (
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/solocron/solocron/journal"
	"github.com/solocron/solocron/scheduler"
)

// outputShards is how many hash tags the output of jobs is spread over; it is
// fixed for ever, as it decides where a run's output is found.
const outputShards = 16

//go:embed output.lua
var outputText string

// Logs keeps the output of runs in Redis: the head of a run's in a hash, the
// rest in a stream, both gone some time after the last line.
type Logs struct {
	rdb    redis.UniversalClient
	head   string // of all keys, up to the number of the shard
	bounds journal.LogBounds
	add    *redis.Script
}

// NewLogs returns Logs under prefix and namespace, which are 1 to 100 bytes of
// A-Z a-z 0-9 . _ ~ / : -. It sends nothing.
func NewLogs(rdb redis.UniversalClient, prefix, namespace string, bounds journal.LogBounds) (*Logs, error) {
	if !allowedName.MatchString(prefix) || !allowedName.MatchString(namespace) {
		return nil, fmt.Errorf("redis key prefix %q, namespace %q: use 1 to 100 of A-Z a-z 0-9 . _ ~ / : - in each", prefix, namespace)
	}
	return &Logs{
		rdb: rdb, head: prefix + ":{" + namespace + ".j",
		bounds: bounds.WithDefaults(), add: redis.NewScript(outputText),
	}, nil
}

// logKeys are the keys of one run.
type logKeys struct{ state, tail, list string }

func (l *Logs) keys(run string) logKeys {
	job, _, ok := scheduler.JobOf(run)
	if !ok {
		job = run
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(job)) // never fails
	head := l.head + strconv.FormatUint(hash.Sum64()%outputShards, 10) + "}:"
	return logKeys{state: head + "outhead:" + run, tail: head + "out:" + run, list: head + "outruns:" + job}
}

// Append implements journal.Logs: one script for each part, all in one pipeline.
func (l *Logs) Append(ctx context.Context, parts []journal.Part) []error {
	errs := make([]error, len(parts))
	calls := make([]*redis.Cmd, len(parts))
	pipe := l.rdb.Pipeline()
	for i := range parts {
		if errs[i] = checkPart(&parts[i]); errs[i] == nil {
			keys, args := l.arguments(&parts[i])
			calls[i] = l.add.EvalSha(ctx, pipe, keys, args...)
		}
	}
	_, _ = pipe.Exec(ctx) // each call has its own error
	l.repeat(ctx, parts, calls)
	failed := false
	for i, call := range calls {
		if call != nil {
			errs[i] = kept(call)
		}
		failed = failed || errs[i] != nil
	}
	if !failed {
		return nil
	}
	return errs
}

// repeat sends calls again, with the text, of which the server did not know the
// script: it has certainly done nothing.
func (l *Logs) repeat(ctx context.Context, parts []journal.Part, calls []*redis.Cmd) {
	pipe := l.rdb.Pipeline()
	for i, call := range calls {
		if call != nil && redis.HasErrorPrefix(call.Err(), "NOSCRIPT") {
			keys, args := l.arguments(&parts[i])
			calls[i] = l.add.Eval(ctx, pipe, keys, args...)
		}
	}
	if pipe.Len() > 0 {
		_, _ = pipe.Exec(ctx)
	}
}

func (l *Logs) arguments(p *journal.Part) (keys []string, args []any) {
	k := l.keys(p.Run)
	done := "0"
	if p.Done {
		done = "1"
	}
	args = append(make([]any, 0, 9+3*len(p.Chunks)),
		p.Run, p.Writer.Token, p.Writer.Session, p.Total, done, p.Keep,
		journal.HeadLimit, l.bounds.Runs, l.bounds.Age.Milliseconds())
	for _, c := range p.Chunks {
		args = append(args, c.Offset, c.Size(), c.Data)
	}
	return []string{k.state, k.tail, k.list}, args
}

func checkPart(p *journal.Part) error {
	if p.Run == "" || len(p.Run) > journal.MaxRunID {
		return fmt.Errorf("run id of %d bytes: 1 to %d are allowed", len(p.Run), journal.MaxRunID)
	}
	for _, c := range p.Chunks {
		if !c.Valid() {
			return fmt.Errorf("output of run %q: a chunk of %d bytes at %d is not packed", p.Run, len(c.Data), c.Offset)
		}
	}
	return nil
}

func kept(call *redis.Cmd) error {
	answer, err := call.Text()
	switch {
	case err != nil:
		return fmt.Errorf("keeping output: %w", err)
	case answer == "overtaken":
		return journal.ErrOvertaken
	}
	return nil
}
