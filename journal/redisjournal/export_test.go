package redisjournal

import "github.com/solocron/solocron/scheduler"

// Encode is encode.
func Encode(n scheduler.News) ([]byte, error) { return encode(n) }

// Decode is decode.
func Decode(message string) (scheduler.News, bool, error) { return decode(message) }

// EncodeRow is encodeRow.
func EncodeRow(r *scheduler.Row) (string, error) { return encodeRow(r) }

// DecodeRow is decodeRow.
func DecodeRow(text string) (scheduler.Row, error) { return decodeRow(text) }

// EncodeRequest is encodeRequest.
func EncodeRequest(r *scheduler.Request) (string, error) { return encodeRequest(r) }

// DecodeRequest is decodeRequest.
func DecodeRequest(text string) (scheduler.Request, error) { return decodeRequest(text) }

// HistoryKey is where the runs of a job are that succeeded.
func (j *Journal) HistoryKey(job string) string { return j.keys.of(job).lists(job)[0] }

// OpenKey is where the open runs of a job's shard are.
func (j *Journal) OpenKey(job string) string { return j.keys.of(job).open }
