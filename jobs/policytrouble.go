package jobs

// checkTrouble looks at what a job says of crashes, shutdowns and a store that is
// away.
func (j *Job) checkTrouble(f *faultList) {
	for _, word := range []struct {
		field, value string
		other        string // the one word beside the default, which is ""
		usual        string
	}{
		{"onHolderLost", string(j.OnHolderLost), string(RerunOnHolderLost), "skip"},
		{"onInterrupt", string(j.OnInterrupt), string(SkipOnInterrupt), "rerun"},
		{"onOverrun", string(j.OnOverrun), string(ExitOnOverrun), "report"},
	} {
		if word.value != "" && word.value != word.other {
			f.add(word.field, "%s", unknownWord(word.value, word.usual, word.other))
		}
	}
	switch j.OnStoreDown {
	case WaitOnStoreDown, SkipOnStoreDown:
	case RunOnStoreDown:
		if !j.Idempotent {
			f.add("onStoreDown", "is run, which only a job may say that is idempotent: every replica runs the tick then, without a lease")
		}
	default:
		f.add("onStoreDown", "%s", unknownWord(string(j.OnStoreDown), "wait", string(SkipOnStoreDown), string(RunOnStoreDown)))
	}
}
