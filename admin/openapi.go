package admin

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// description is what the document says of the API as a whole.
const description = "Jobs are defined in YAML; over this API they are looked at, triggered and steered.\n\n" +
	"Times are RFC 3339 with their zone, lengths of time are such as 1m3s. What is not a success is a problem " +
	"document (RFC 9457), whose type is urn:solocron:problem: and a word. A failure that is no fault of the " +
	"request (default) is a 500 whose reason is in the log of the replica.\n\n" +
	"Every answer names its request in X-Request-Id, and so do problems (requestId) and the log of the replica: with " +
	"the one that the request came with, of at most 64 letters, digits, dots, lines and dashes, or with a new one."

func securitySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		"token":  {Type: "http", Scheme: "bearer", Description: "A token of the file of tokens."},
		"cookie": {Type: "apiKey", In: "cookie", Name: "solocron", Description: "What a login gives to a page."},
	}
}

const (
	problemRef = "#/components/schemas/ProblemDetails"
	faultName  = "Fault"
)

// problemResponse is an answer that is not a success.
func problemResponse(status int) *huma.Response {
	r := &huma.Response{
		Description: http.StatusText(status),
		Content:     map[string]*huma.MediaType{problemType: {Schema: &huma.Schema{Ref: problemRef}}},
	}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		r.Headers = map[string]*huma.Param{"Retry-After": {Description: "Seconds after which it may work.", Schema: &huma.Schema{Type: huma.TypeInteger}}}
	}
	return r
}

// problemSchema describes a problem document.
func problemSchema(registry huma.Registry) *huma.Schema {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	return &huma.Schema{
		Type: huma.TypeObject, Required: []string{"type", "title", "status", "instance"}, AdditionalProperties: true,
		Properties: map[string]*huma.Schema{
			"type":      text("urn:solocron:problem: and a word for programs."),
			"title":     text("The same for people."),
			"status":    {Type: huma.TypeInteger},
			"detail":    text("This occurrence, for people."),
			"instance":  text("What was asked for."),
			"requestId": text("Of the request, as X-Request-Id says it and the log of the replica has it."),
			"errors":    {Type: huma.TypeArray, Items: registry.Schema(reflect.TypeFor[Fault](), true, faultName)},
		},
	}
}

// finish completes the description with what the types alone do not say.
func finish(doc *huma.OpenAPI) {
	registry := doc.Components.Schemas
	registry.Map()["ProblemDetails"] = problemSchema(registry)
	delete(registry.Map(), "ErrorModel")
	delete(registry.Map(), "ErrorDetail")
	for name, schema := range registry.Map() {
		if t := registry.TypeFromRef("#/components/schemas/" + name); t != nil && t.Kind() == reflect.Struct {
			nulls(t, schema)
		}
	}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post} {
			if op != nil {
				bounded(op, registry)
				complete(op)
			}
		}
	}
}

// complete adds the answers that are chosen by what was asked: that of a rehearsal, and
// that nothing is new.
func complete(op *huma.Operation) {
	if op.OperationID == "getJob" {
		op.Responses["304"] = &huma.Response{Description: "What the client has is what is so"}
	}
	if op.OperationID == "triggerJob" || op.OperationID == "backfillJob" {
		op.Responses["200"] = &huma.Response{Description: "What a dry run has found", Content: op.Responses["202"].Content}
	}
}

// nulls says of the members of t which may be null: pointers to objects, which huma
// cannot say, and not lists, of which it says so.
func nulls(t reflect.Type, schema *huma.Schema) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := schema.Properties[name]
		if property == nil {
			continue
		}
		if property.Type == huma.TypeArray {
			property.Nullable = false
		}
		omitted := slices.Contains(strings.Split(options, ","), "omitempty")
		if property.Ref != "" && f.Type.Kind() == reflect.Pointer && !omitted {
			schema.Properties[name] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: property.Ref}, {Type: "null"}}, Description: property.Description}
		}
	}
}

// indented is the document as it is committed and served.
func indented(doc *huma.OpenAPI) ([]byte, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
