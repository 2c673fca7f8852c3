package jobs

// Windows for the tests.

// BindParams binds a query as a report does, for SQLite or Postgres.
func BindParams(query, dialectName string) (text string, names []string, err error) {
	q, err := bindParams(query, Dialect(dialectName), paramNames)
	return q.text, q.names, err
}

// StorePosition writes a position into a checkpoint and reads it back.
func StorePosition(values []any) ([]any, error) {
	_, _, whole, err := position(values).encode()
	if err != nil {
		return nil, err
	}
	return decodePosition(whole)
}
