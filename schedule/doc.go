// Package schedule says at which moments a job is due. It turns a text such as
// "30 2 * * *" into a Schedule that answers Next and Prev, writes itself in one
// canonical way, and explains itself in words. It is pure: it reads no clock,
// keeps no state, and knows neither jobs nor leases. The time zone database is
// linked in, for hosts that have none.
//
// # Forms
//
//	30 2 * * 1-5              minute, hour, day of month, month, day of week
//	*/10 30 2 * * *           six fields, seconds first: only with Options.Seconds
//	@hourly @daily @midnight @weekly @monthly @yearly @annually
//	@every 1d12h              a period from 1s to 366d, counted from the Unix epoch
//	@at 2027-03-01T09:00      once; in the job's zone unless it names an offset
//
// # Fields
//
// A field is a list of values, ranges a-b and steps */n, a-b/n, a/n, joined by
// commas. Steps count from the start of the range, so */7 restarts every hour.
// Months and weekdays have English names of three letters. Sunday is 0 and 7.
// "?" means "*". The day fields know more:
//
//	L     last day of the month            5#2, FRI#2  second Friday
//	LW    last Monday to Friday in it      5L, FRIL    last Friday
//	15W   the weekday nearest to the 15th, within the month
//
// H stands for a number made from Options.Key, different from job to job and
// the same on every replica: H anywhere in the field (days 1 to 28), H(a-b) in a
// range, H/n every n beginning at a hashed offset.
//
// # The day rule
//
// If the day-of-month or the day-of-week field begins with "*" or "?", a day must
// match both fields; otherwise it must match at least one. "0 0 13 * 5" is every 13th and every
// Friday; "0 0 */2 * 1" is the Mondays with an odd date.
//
// # When the clock changes
//
// A schedule is fixed if none of its time fields (second, minute, hour) begins with
// "*", "?" or H/n; else it is a wildcard and follows real time.
//
//	clocks go forward  fixed: what the skipped hour held becomes one moment, the
//	                   first whole minute after the change (Gap skip: none).
//	                   Wildcard: nothing is made up. A jump over 3 h, where a
//	                   country changes its date, makes nothing up either.
//	clocks go back     fixed: the first of the two passes. Wildcard: both.
//	                   Overlap first, second or both sets it for either kind.
//
// # Rules
//
// Schedule.With narrows and shifts the moments: startAt and endAt remove those
// outside, calendars exclude, jitter delays. An excluded moment stays a moment, so
// that it gets a verdict; Excluded says that it is skipped. A moment that is deferred or
// delayed keeps its identity too; Release says when it may run. All that were
// deferred to the same end are released together, before the next moment after it.
//
// A Calendar holds dates, ranges and weekdays in its own zone, and the events
// of an iCalendar file, free or busy. A day of it lasts as long as the wall shows its date.
// Times without a zone are in the calendar's. A recurring event whose DTEND is in the
// zone of its DTSTART ends at that time on the wall, also when the clock
// changes; a DURATION in hours is real time. Rules without an end are
// known until 2100. What would be guessed at is refused: TZIDs outside the
// IANA database, RANGE=THISANDFUTURE, EXRULE, rules that recur within a day.
package schedule

//go:generate go run ./internal/zonenames
