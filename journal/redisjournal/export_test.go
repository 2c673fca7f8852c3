package redisjournal

import "github.com/solocron/solocron/scheduler"

// Encode is encode.
func Encode(n scheduler.News) ([]byte, error) { return encode(n) }

// Decode is decode.
func Decode(message string) (scheduler.News, bool, error) { return decode(message) }
