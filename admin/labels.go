package admin

import "strings"

// term is one condition on the labels of a job.
type term struct {
	key, value string
	not        bool
	bare       bool // the label is there, whatever its value
}

// selector is conditions that all must hold.
type selector []term

// readSelector reads such as team=billing,tier!=test,!legacy.
func readSelector(text string) (selector, error) {
	var all selector
	if text == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		var t term
		part = strings.TrimSpace(part)
		key, value, equal := strings.Cut(part, "=")
		switch rest, denied := strings.CutPrefix(part, "!"); {
		case !equal && denied:
			t = term{key: rest, not: true, bare: true}
		case !equal:
			t = term{key: part, bare: true}
		case strings.HasSuffix(key, "!"):
			t = term{key: strings.TrimSuffix(key, "!"), value: value, not: true}
		default:
			t = term{key: key, value: strings.TrimPrefix(value, "=")}
		}
		if t.key = strings.TrimSpace(t.key); t.key == "" {
			return nil, notValid("query.labelSelector", "is such as team=billing, tier!=test, team or !legacy, several with commas", text)
		}
		t.value = strings.TrimSpace(t.value)
		all = append(all, t)
	}
	return all, nil
}

// covers reports whether labels meet all conditions. A label that is not there is
// not equal to anything.
func (s selector) covers(labels map[string]string) bool {
	for _, t := range s {
		value, there := labels[t.key]
		if met := there && (t.bare || value == t.value); met == t.not {
			return false
		}
	}
	return true
}
