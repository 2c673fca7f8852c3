package notify

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// message is what is told of a page at now.
func (s *State) message(k Kind, page *Page, p *Policy, now time.Time) Message {
	f := &page.Fact
	return Message{
		ID:   messageID(k, f.Job, page.Signature, now),
		Kind: k, Job: f.Job, Run: f.Run, Tick: f.Tick.UTC(), At: f.At.UTC(), Since: s.Since.UTC(), Verdict: f.Verdict, Reason: f.Reason,
		Error: f.Error, Failures: s.Fails, Suppressed: max(0, page.Count-1), Replica: f.Replica,
		Owner: p.About.Owner, Runbook: p.About.Runbook, Link: p.About.Link, Labels: p.About.Labels,
	}
}

// messageID differs for each message: a job tells one thing once at a moment.
func messageID(k Kind, job, signature string, now time.Time) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{string(k), job, signature, strconv.FormatInt(now.UnixNano(), 10)}, "\x00")))
	const enough = 12 // bytes
	return hex.EncodeToString(sum[:enough])
}

// jobLink is where the page shows a job.
func jobLink(page, job string) string {
	return strings.TrimSuffix(page, "/") + "/jobs/" + url.PathEscape(job)
}
