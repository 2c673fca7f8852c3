package schema

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

const draft = "https://json-schema.org/draft/2020-12/schema"

// JSON returns the schema of a file with the built-in kinds of jobs, indented, the
// same bytes each time.
func JSON() ([]byte, error) { return For(jobs.Kinds(nil)) }

// For is JSON for a program with these kinds. Kinds without an entry in the tables of
// this package have no descriptions.
func For(kinds []jobs.Kind) ([]byte, error) {
	w := writer{notes: notes()}
	top := w.fields(config.Layout(kinds))
	top.Version = draft
	top.Title = "Solocron configuration"
	top.Description = "Settings and jobs of one cluster of schedulers. Lengths of time are written as 90s, 1h30m or 1d."
	top.Definitions = definitions()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(top); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return out.Bytes(), nil
}

// definitions are what many keys share. They have no descriptions: the keys have.
func definitions() jsonschema.Definitions {
	const digits = `([0-9]+\.?[0-9]*|\.[0-9]+)`
	return jsonschema.Definitions{
		"text":   scalars("string", "number", "boolean"),
		"length": {AnyOf: []*jsonschema.Schema{{Type: "string", Pattern: `^(0|(` + digits + `(d|h|m|s|ms|us|µs|μs|ns))+)$`}, {Const: 0}}},
		"size":   {AnyOf: []*jsonschema.Schema{{Type: "string", Pattern: `^[0-9]+(Ki|Mi|Gi)?$`}, {Type: "integer", Minimum: "0"}}},
		"switch": {AnyOf: []*jsonschema.Schema{{Type: "boolean"}, {Enum: []any{"true", "True", "TRUE", "false", "False", "FALSE"}}}},
		"secret": {AnyOf: []*jsonschema.Schema{scalars("string", "number", "boolean"), from("env"), from("file")}},
	}
}

// from is a secret that is kept elsewhere.
func from(where string) *jsonschema.Schema {
	s := object()
	s.Properties.Set(where, &jsonschema.Schema{Type: "string", MinLength: new(uint64(1))})
	s.Required = []string{where}
	return s
}

// scalars is what is one of several types.
func scalars(types ...string) *jsonschema.Schema {
	return &jsonschema.Schema{Extras: map[string]any{"type": types}}
}

// object is a map with the properties that are still to be set, and no others.
func object() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
}

func ref(definition string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/$defs/" + definition}
}
