package jobs_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/solocron/solocron/jobs"
)

func TestAValueHasOneNotation(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		kind       jobs.ParamType
		text, want string // "" if text is refused
	}{
		{"int", "0", "0"},
		{"int", "-0", "0"},
		{"int", "-42", "-42"},
		{"int", "9223372036854775807", "9223372036854775807"},
		{"int", "9223372036854775808", ""},
		{"int", "007", ""},
		{"int", "+7", ""},
		{"int", "7.0", ""},
		{"int", "1_000", ""},
		{"int", " 7", ""},
		{"int", "", ""},
		{"int", "-", ""},
		{"int", "0x10", ""},
		{"number", "1.50", "1.5"},
		{"number", "-0", "0"},
		{"number", "1e3", "1000"},
		{"number", "1e21", "1e+21"},
		{"number", "0.0000001", "1e-07"},
		{"number", "0.1", "0.1"},
		{"number", ".5", "0.5"},
		{"number", "1e999", ""},
		{"number", "inf", ""},
		{"number", "NaN", ""},
		{"number", "0x1p-2", ""},
		{"number", "1,5", ""},
		{"number", "", ""},
		{"bool", "true", "true"},
		{"bool", "False", "false"},
		{"bool", "TRUE", "true"},
		{"bool", "yes", ""},
		{"bool", "1", ""},
		{"bool", "", ""},
		{"string", "a b; rm -rf /", "a b; rm -rf /"},
		{"string", "äé", "äé"},
		{"string", "a\nb", ""},
		{"string", "a\x00b", ""},
		{"string", "a\xffb", ""},
		{"string", "\u0085", ""},
		{"string", long, long},
		{"string", long + "x", ""},
		{"", "text", "text"},
		{"date", "2026-11-29", ""},
	} {
		got, err := jobs.Param{Name: "p", Type: c.kind}.Canonical(c.text)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %.40q: got %.40q, %v, want %.40q", c.kind, c.text, got, err, c.want)
		}
		if fault, ok := errors.AsType[*jobs.ParamError](err); err != nil && (!ok || fault.Param != "p" || fault.Msg == "") {
			t.Errorf("%s %.40q: got the error %v, want a ParamError that names p", c.kind, c.text, err)
		}
	}
	if got, err := (jobs.Param{Type: jobs.StringParam}).Canonical(""); got != "" || err != nil {
		t.Errorf("got %q, %v for the empty text", got, err)
	}
}

func TestTheNotationOfAValueIsItsOwn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := jobs.Param{Name: "p", Type: rapid.SampledFrom([]jobs.ParamType{"string", "int", "number", "bool"}).Draw(t, "type")}
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,5})?(e-?[0-9]{1,3})?`)).Draw(t, "text")
		once, err := p.Canonical(text)
		if err != nil {
			return
		}
		if twice, err := p.Canonical(once); err != nil || twice != once {
			t.Fatalf("%s %q became %q, then %q (%v)", p.Type, text, once, twice, err)
		}
	})
}

// export is a job with a parameter of each sort.
func export() jobs.Job {
	return jobs.Job{Name: "export", Policies: jobs.Policies{Params: []jobs.Param{
		{Name: "region", Type: jobs.StringParam, Default: "north", Choices: []string{"north", "south"}},
		{Name: "since", Type: jobs.StringParam, Required: true},
		{Name: "limit", Type: jobs.IntParam, Default: "100", Choices: []string{"100", "1000"}},
		{Name: "factor", Type: jobs.NumberParam},
		{Name: "dry_run", Type: jobs.BoolParam},
	}}}
}

func TestEveryDeclaredParameterGetsItsValueOrItsDefault(t *testing.T) {
	t.Parallel()
	got, errs := export().ResolveParams(map[string]string{"since": "2026-11-01", "limit": "1000", "factor": "2.50", "dry_run": "TRUE"})
	want := map[string]string{"region": "north", "since": "2026-11-01", "limit": "1000", "factor": "2.5", "dry_run": "true"}
	if !maps.Equal(got, want) || errs != nil {
		t.Errorf("got %v, %v, want %v", got, errs, want)
	}
	ticks := map[string]string{"region": "north", "since": "", "limit": "100", "factor": "0", "dry_run": "false"}
	if got := export().DefaultParams(); !maps.Equal(got, ticks) {
		t.Errorf("got %v for a tick, want %v", got, ticks)
	}
	if got, errs := (jobs.Job{}).ResolveParams(nil); len(got)+len(errs) != 0 {
		t.Errorf("got %v, %v for a job without parameters", got, errs)
	}
}

func TestEachFaultOfWhatIsGivenNamesItsParameter(t *testing.T) {
	t.Parallel()
	values, errs := export().ResolveParams(map[string]string{
		"region": "west", "limit": "ten", "dry_run": "maybe", "factor": strings.Repeat("1", 1001), "regoin": "north", "zzzzzzzz": "1",
	})
	want := []string{
		`param region: "west" is none of north, south`,
		"param since: is required: give a text",
		`param limit: "ten" is not a whole number, or too large`,
		"param factor: has 1001 bytes: at most 1000",
		`param dry_run: "maybe" is neither true nor false`,
		"param regoin: is not declared: did you mean region?",
		"param zzzzzzzz: is not declared: the job has region, since, limit, factor, dry_run",
	}
	if got := fmt.Sprintln(errs); got != fmt.Sprintln(want) {
		t.Errorf("got  %swant %s", got, fmt.Sprintln(want))
	}
	for _, err := range errs {
		if _, ok := errors.AsType[*jobs.ParamError](err); !ok {
			t.Errorf("got a %T, want a *ParamError: %v", err, err)
		}
	}
	if want := export().DefaultParams(); !maps.Equal(values, want) {
		t.Errorf("got %v, want the defaults %v", values, want)
	}
	if _, errs := export().ResolveParams(map[string]string{"since": "x", "limit": "5"}); fmt.Sprint(errs) != `[param limit: "5" is none of 100, 1000]` {
		t.Errorf("got %v, want a number beside the choices refused", errs)
	}
	if _, errs := (jobs.Job{}).ResolveParams(map[string]string{"a": "b"}); fmt.Sprint(errs) != "[param a: is not declared: the job has no parameters]" {
		t.Errorf("got %v, want any parameter refused", errs)
	}
}

func TestTheNumberAndSizeOfFaultsIsBounded(t *testing.T) {
	t.Parallel()
	given := map[string]string{}
	for i := range 1000 {
		given[fmt.Sprintf("p%d\n%s", i, strings.Repeat("ä", 500))] = "x"
	}
	_, errs := jobs.Job{}.ResolveParams(given)
	if len(errs) != jobs.MaxParams {
		t.Errorf("got %d faults, want %d", len(errs), jobs.MaxParams)
	}
	for _, err := range errs {
		if len(err.Error()) > 200 || strings.Contains(err.Error(), "\n") {
			t.Fatalf("got the fault %q, want one short line", err)
		}
	}
}
