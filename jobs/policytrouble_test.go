package jobs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/solocron/solocron/jobs"
)

func TestPoliciesOfTroubleAreChecked(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		policies jobs.Policies
		want     string // in the error; "": none
	}{
		"defaults":               {jobs.Policies{}, ""},
		"all others":             {jobs.Policies{OnHolderLost: "rerun", OnInterrupt: "skip", OnOverrun: "exit", OnStoreDown: "run", Idempotent: true}, ""},
		"misspelt holder lost":   {jobs.Policies{OnHolderLost: "rerrun"}, "onHolderLost"},
		"misspelt interrupt":     {jobs.Policies{OnInterrupt: "stop"}, "onInterrupt"},
		"misspelt overrun":       {jobs.Policies{OnOverrun: "die"}, "onOverrun"},
		"misspelt store down":    {jobs.Policies{OnStoreDown: "go"}, "onStoreDown"},
		"run without idempotent": {jobs.Policies{OnStoreDown: jobs.RunOnStoreDown}, "idempotent"},
	} {
		j := jobs.Job{Name: "job", Runner: jobs.Func(func(context.Context, jobs.Run) error { return nil }), Policies: x.policies}
		err := j.Validate()
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: Validate = %v, want an error with %q", name, err, x.want)
		}
	}
}
