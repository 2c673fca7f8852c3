package admin

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/solocron/solocron/admin/access"
)

// base is where the API begins. What is outside is for probes.
const base = "/api/v1"

// route is one row of the API, as it is declared.
type route struct {
	id, method, path, summary string
	role                      access.Role // None: for everybody
	status                    int         // of a success; 0: 200
	more                      []int       // statuses beside those that follow from the rest
	limit                     int64       // bytes of a body; 0: maxBody
	empty                     bool        // the body may be
	kind                      string      // of what a raw handler answers with; "": JSON
	about                     string      // what the summary leaves out
}

// changes reports whether the route has an effect. None that is read has one.
func (r route) changes() bool { return r.method == http.MethodPost && r.role > access.Viewer }

// book is all routes, with their description in the terms of OpenAPI.
type book struct {
	api   *API
	mux   *http.ServeMux
	huma  huma.API
	doors map[string][]string // methods by path
	open  map[string]bool     // paths for everybody
}

func newBook(a *API) *book {
	mux := http.NewServeMux()
	b := &book{api: a, mux: mux, doors: map[string][]string{}, open: map[string]bool{}}
	b.huma = humago.New(mux, settings())
	return b
}

// bodyLimit is how long a body may take to arrive.
const bodyLimit = 8 * time.Second

// enter adds a route whose input and output are described by their types.
func enter[I, O any](b *book, r route, handle func(context.Context, *I) (*O, error)) {
	op := b.operation(r)
	op.MaxBodyBytes = cmp.Or(r.limit, maxBody) + 1 // huma refuses a body of exactly its bound
	op.BodyReadTimeout = bodyLimit
	if r.empty {
		op.RequestBody = new(huma.RequestBody) // which huma fills in, as required
		defer func() { op.RequestBody.Required = false }()
	}
	huma.Register(b.huma, op, func(ctx context.Context, in *I) (*O, error) {
		received(ctx)
		out, err := handle(ctx, in)
		if err != nil {
			return nil, b.api.problemOf(ctx, err)
		}
		return out, nil
	})
}

// enterRaw adds a route whose handler writes its answer by itself, and is described
// by hand: it returns the description, to be added to.
func (b *book) enterRaw(r route, params []*huma.Param, handle http.HandlerFunc) *huma.Operation {
	op := b.operation(r)
	op.Parameters = params
	success := &huma.Response{Description: http.StatusText(op.DefaultStatus)}
	if r.kind != noContent {
		success.Content = map[string]*huma.MediaType{r.kind: {}}
	}
	op.Responses[strconv.Itoa(op.DefaultStatus)] = success
	b.huma.OpenAPI().AddOperation(&op)
	b.mux.Handle(r.method+" "+r.path, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := b.api.mayEnter(req.Context(), r); err != nil {
			b.api.fail(w, req, err)
			return
		}
		handle(w, req)
	}))
	return &op
}

// noContent is the kind of an answer that has none.
const noContent = "none"

// operation is r for OpenAPI, entered among the doors.
func (b *book) operation(r route) huma.Operation {
	b.doors[r.path] = append(b.doors[r.path], r.method)
	if r.role == access.None {
		b.open[r.path] = true
	}
	if r.status == 0 {
		r.status = http.StatusOK
	}
	op := huma.Operation{
		OperationID: r.id, Method: r.method, Path: r.path, Summary: r.summary, Description: r.about, Tags: []string{tagOf(r.path)},
		DefaultStatus: r.status, RejectUnknownQueryParameters: true, Responses: map[string]*huma.Response{},
		Middlewares: huma.Middlewares{b.admit(r)}, Extensions: map[string]any{"x-role": r.role.String()},
	}
	if r.role > access.None {
		op.Security = []map[string][]string{{"token": {}}, {"cookie": {}}}
	}
	for _, status := range r.refusals() {
		op.Responses[strconv.Itoa(status)] = problemResponse(status)
	}
	op.Responses["default"] = problemResponse(http.StatusInternalServerError)
	return op
}

// refusals are the statuses other than success that r may answer with, but for that
// of a fault of this program.
func (r route) refusals() []int {
	all := map[int]bool{http.StatusForbidden: true} // asked by another name, by another site, or without the role
	if r.role > access.None {
		all[http.StatusUnauthorized], all[http.StatusTooManyRequests] = true, true
	}
	if r.kind == "" {
		all[http.StatusUnprocessableEntity] = true
	}
	if r.method == http.MethodPost && r.kind == "" {
		for _, status := range []int{http.StatusRequestTimeout, http.StatusRequestEntityTooLarge} {
			all[status] = true
		}
		if r.limit == 0 {
			all[http.StatusBadRequest] = true
		}
	}
	if r.changes() {
		all[http.StatusServiceUnavailable] = true
	}
	for _, status := range r.more {
		all[status] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// tagOf is the part of the API that a path belongs to.
func tagOf(path string) string {
	rest, ok := strings.CutPrefix(path, base+"/")
	if !ok {
		return "probes"
	}
	tag, _, _ := strings.Cut(rest, "/")
	name, _, _ := strings.Cut(tag, ".")
	return name
}

// close adds what answers where there is no route, another method on a known path or
// any other path, and completes the description.
func (b *book) close() {
	for path, methods := range b.doors {
		if slices.Contains(methods, http.MethodGet) {
			methods = append(methods, http.MethodHead) // ServeMux serves it too
		}
		slices.Sort(methods)
		allowed := strings.Join(methods, ", ")
		b.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { b.api.fail(w, r, methodNotAllowed(allowed)) })
	}
	b.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { b.api.fail(w, r, noSuchRoute(r.URL.EscapedPath())) })
	finish(b.huma.OpenAPI())
}
