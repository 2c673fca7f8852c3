package scheduler

// Verdict is how a tick or request ended. Every tick gets exactly one in the cluster.
type Verdict string

// The verdicts.
const (
	Succeeded   Verdict = "succeeded"
	Failed      Verdict = "failed"      // the runner returned an error or panicked
	TimedOut    Verdict = "timed_out"   // the job's own timeout passed
	Cancelled   Verdict = "cancelled"   // somebody stopped the run
	Interrupted Verdict = "interrupted" // the replica shut down before the run was done
	LeaseLost   Verdict = "lost"        // the lease ended, or its holder died, in mid-run
	Skipped     Verdict = "skipped"     // not run on purpose; see Reason
	Missed      Verdict = "missed"      // not run because it was too late; see Reason
)

// Verdicts lists all verdicts, for those who count them.
func Verdicts() []Verdict {
	return []Verdict{Succeeded, Failed, TimedOut, Cancelled, Interrupted, LeaseLost, Skipped, Missed}
}

// Reason says why a tick was skipped or missed.
type Reason string

// The reasons.
const (
	ReasonNone         Reason = ""
	ReasonOverlap      Reason = "overlap"      // skipped: an older run still held the lease
	ReasonPaused       Reason = "paused"       // skipped: the job's gate was closed, or the job is suspended
	ReasonExcluded     Reason = "excluded"     // skipped: a calendar of the job excludes the moment
	ReasonSuperseded   Reason = "superseded"   // skipped: a later tick of the job was due too. Of what a replica yields: a newer definition of the job is in force
	ReasonShadow       Reason = "shadow"       // skipped: the job is in shadow mode; this replica would have run it
	ReasonDeadline     Reason = "deadline"     // missed: no replica could start it before its starting deadline
	ReasonStore        Reason = "store"        // missed: the lease store gave no answer until the starting deadline
	ReasonUnreplicated Reason = "unreplicated" // missed: too few of the lease store's replicas confirmed what it did
	ReasonCatchup      Reason = "catchup"      // missed: the job's catch-up policy does not run it
	ReasonDependency   Reason = "dependency"   // missed: what it depends on had not happened until its starting deadline
	ReasonUnrecorded   Reason = "unrecorded"   // missed: nobody lived to say what became of it
	ReasonReplaced     Reason = "replaced"     // cancelled: a later tick took its place
	ReasonCrash        Reason = "crash"        // lost: found abandoned by another replica
	ReasonPanic        Reason = "panic"        // failed: the runner panicked
	ReasonUnlocked     Reason = "unlocked"     // run without a lease, as the job allows, because the store gave no answer
)
