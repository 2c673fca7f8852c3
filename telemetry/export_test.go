package telemetry

// Pairs lists the pairs of verdict and reason that have a label each.
func Pairs() [][2]string {
	var all [][2]string
	for _, p := range pairs {
		all = append(all, [2]string{string(p.verdict), string(p.reason)})
	}
	return all
}
