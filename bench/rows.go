package main

import "fmt"

// Row is one line of the result.
type Row struct {
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Goal    *Goal   `json:"goal,omitempty"`
	Ratios  []Ratio `json:"ratios,omitempty"` // to peers measured in the same run
	Worst   float64 `json:"worst"`            // of all rounds
	Must    bool    `json:"must,omitempty"`   // fails even a short run
	Comment string  `json:"comment,omitempty"`
}

// Ratio is a value of ours over the same of a peer: below 1 is less.
type Ratio struct {
	Peer  string  `json:"peer"`
	Value float64 `json:"peerValue"`
	Ratio float64 `json:"ratio"`
}

// Goal bounds a value.
type Goal struct {
	Op    string  `json:"op"` // "<=", ">=" or "=="
	Bound float64 `json:"bound"`
}

// Met reports whether value keeps within g.
func (g Goal) Met(value float64) bool {
	switch g.Op {
	case "<=":
		return value <= g.Bound
	case ">=":
		return value >= g.Bound
	default:
		return value == g.Bound
	}
}

// String returns g as it is printed: "<= 60".
func (g Goal) String() string { return fmt.Sprintf("%s %s", g.Op, short(g.Bound)) }

// Judgement is how a row stands to its goal.
type Judgement string

// The judgements.
const (
	Pass Judgement = "pass"
	Fail Judgement = "FAIL"
	Info Judgement = "-" // no goal
)

// Judge compares the value of r, a median over rounds, with its goal; a row
// that must hold is judged by its worst round.
func (r Row) Judge() Judgement {
	value := r.Value
	if r.Must {
		value = r.Worst
	}
	switch {
	case r.Goal == nil:
		return Info
	case r.Goal.Met(value):
		return Pass
	}
	return Fail
}

func atMost(bound float64) *Goal  { return &Goal{"<=", bound} }
func atLeast(bound float64) *Goal { return &Goal{">=", bound} }
func exactly(bound float64) *Goal { return &Goal{"==", bound} }

// short prints v with three digits that matter.
func short(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v >= 1000 || v == float64(int64(v)):
		return fmt.Sprintf("%.0f", v)
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
