package leasetest

import "slices"

// Checks lists the whole contract.
func Checks() []Check {
	return slices.Concat(claimChecks(), ledgerChecks(), closedChecks(), openedChecks(), floorChecks(), holdChecks(), startChecks(),
		reinstateChecks(), releaseChecks(), plainChecks(), overseerChecks(), batchChecks(), givenChecks())
}
