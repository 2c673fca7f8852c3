//go:build !race

package schedule_test

// underRace says that everything is ten times slower: the walks are shorter.
const underRace = false
