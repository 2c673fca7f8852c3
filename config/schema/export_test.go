package schema

// Noted returns the descriptions of the tables by owner and key.
func Noted() map[string]string {
	all := map[string]string{}
	for key, n := range notes() {
		all[key] = n.is
	}
	return all
}

// Words returns the words that the tables allow below a key.
func Words(key string) []string { return notes()[key].words }
