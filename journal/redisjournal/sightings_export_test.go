package redisjournal

import "github.com/solocron/solocron/journal"

// DecodeAnswer is decodeAnswer.
func DecodeAnswer(message string) (string, []journal.Sighting, bool) { return decodeAnswer(message) }

// EncodeAnswer is encodeAnswer.
func EncodeAnswer(from string, seen []journal.Sighting) ([]byte, error) {
	return encodeAnswer(from, seen)
}

// IsQuestion reports whether decodeQuestion accepts message.
func IsQuestion(message string) bool {
	_, ok := decodeQuestion(message)
	return ok
}
