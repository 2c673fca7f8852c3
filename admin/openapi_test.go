package admin_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/solocron/solocron/admin"
)

var update = flag.Bool("update", false, "write openapi.json")

const committed = "openapi.json"

// spec is what the tests read of the description.
type spec struct {
	OpenAPI    string                          `json:"openapi"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID          string                     `json:"operationId"`
	Role        string                     `json:"x-role"`
	Parameters  []parameter                `json:"parameters"`
	Responses   map[string]json.RawMessage `json:"responses"`
	RequestBody *struct {
		Content map[string]struct {
			Schema *schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

type parameter struct {
	Name, In string
	Required bool
	Schema   *schema
}

type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Format     string             `json:"format"`
	Properties map[string]*schema `json:"properties"`
	Enum       []any              `json:"enum"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
	AnyOf      []*schema          `json:"anyOf"`
	Items      *schema            `json:"items"`
	Required   []string           `json:"required"`
}

// describe asks an API for its description.
func describe(t *testing.T, h http.Handler) ([]byte, spec) {
	t.Helper()
	code, text := fetch(t, h, "/api/v1/openapi.json")
	if code != http.StatusOK {
		t.Fatalf("openapi.json: got %d %s", code, text)
	}
	var s spec
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return text, s
}

func TestTheCommittedDescriptionIsFresh(t *testing.T) {
	t.Parallel()
	got, _ := describe(t, admin.New(everything(t)))
	if *update {
		if err := os.WriteFile(committed, got, 0o644); err != nil { //nolint:gosec // it is source
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(committed)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the API says of itself: run go test ./admin -run Fresh -update, and look at what changes (%v)", committed, err)
	}
}

func TestTheDescriptionIsThereInYAMLAndForPeopleWithNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	h := admin.New(everything(t))
	if code, text := fetch(t, h, "/api/v1/openapi.yaml"); code != 200 || !strings.Contains(string(text), "\nopenapi: 3.1.0\n") {
		t.Errorf("openapi.yaml: got %d %.200s", code, text)
	}
	code, page := fetch(t, h, "/api/v1/docs")
	if code != 200 || !strings.Contains(string(page), "openapi.json") {
		t.Errorf("docs: got %d", code)
	}
	for _, far := range []string{"http:", "https:", "src=", "@import", `"//`} {
		if strings.Contains(string(page), far) {
			t.Errorf("the page loads something from elsewhere: %q", far)
		}
	}
	if code, text := fetch(t, h, "/api/v1/schema.json"); code != 200 || string(text) != `{"type":"object"}`+"\n" {
		t.Errorf("schema.json: got %d %s", code, text)
	}
}

func TestEveryOperationSaysWhoMayAndHowItIsRefused(t *testing.T) {
	t.Parallel()
	_, s := describe(t, admin.New(everything(t)))
	if s.OpenAPI != "3.1.0" || len(s.Paths) < 35 {
		t.Errorf("got OpenAPI %s with %d paths", s.OpenAPI, len(s.Paths))
	}
	seen := map[string]bool{}
	for path, item := range s.Paths {
		for method, op := range item {
			if op.ID == "" || seen[op.ID] {
				t.Errorf("%s %s: operationId %q is empty or used twice", method, path, op.ID)
			}
			seen[op.ID] = true
			if method == "get" && (op.Role == "operator" || op.Role == "admin") || method == "post" && op.Role == "none" && !strings.HasPrefix(op.ID, "sign") {
				t.Errorf("%s %s: role %s", method, path, op.Role)
			}
			for status, text := range op.Responses {
				if status >= "4" && !bytes.Contains(text, []byte("application/problem+json")) {
					t.Errorf("%s %s: %s is no problem document: %s", method, path, status, text)
				}
			}
		}
	}
	for name, schema := range s.Components.Schemas {
		for member, p := range schema.Properties {
			if p.Type == nil && p.Ref == "" && p.AnyOf == nil && member != "value" {
				t.Errorf("%s.%s has no type", name, member)
			}
		}
	}
}
