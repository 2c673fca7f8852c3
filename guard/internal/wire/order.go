package wire

// magic begins an order and is its version: both ends are the same program, so
// another number means that something else is at the other end.
const magic = 0x0001_6472_6175_4753

// HeadSize is the size in bytes of what precedes an order: magic and length.
const HeadSize = 16

// Order is a program to be run and the rules for ending it.
type Order struct {
	Path  string
	Dir   string // "": that of the guard
	Args  []string
	Env   []string
	Grace int64 // ns between SIGTERM and SIGKILL where no deadline comes first
	Deadline
}

// Encode returns o with its head, nil if that would be longer than MaxOrder.
func (o *Order) Encode() []byte {
	body := make([]byte, 0, 4096)
	body = appendInt(body, o.Grace)
	body = o.Deadline.Append(body)
	body = appendText(body, o.Path)
	body = appendText(body, o.Dir)
	body = appendTexts(body, o.Args)
	body = appendTexts(body, o.Env)
	if len(body) > MaxOrder {
		return nil
	}
	head := appendInt(make([]byte, 0, HeadSize+len(body)), magic)
	head = appendInt(head, int64(len(body)))
	return append(head, body...)
}

// BodySize returns the length of the order whose head is given; ok is false if
// it is no head.
func BodySize(head []byte) (n int, ok bool) {
	if len(head) != HeadSize || getInt(head) != magic {
		return 0, false
	}
	size := getInt(head[8:])
	return int(size), size >= 0 && size <= MaxOrder
}

// DecodeOrder reads the body of an order; ok is false if it is none.
func DecodeOrder(body []byte) (o *Order, ok bool) {
	r := reader{rest: body}
	o = &Order{Grace: r.int()}
	o.Deadline = Deadline{Stop: r.int(), Dead: r.int()}
	o.Path, o.Dir = r.text(), r.text()
	o.Args, o.Env = r.texts(), r.texts()
	return o, !r.bad && len(r.rest) == 0 && o.Path != "" && len(o.Args) > 0
}
