# Everything a change must pass is `make check`; `make` alone lists the rest.

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Tools are pinned in a module of their own, so that the product does not depend on them.
TOOL := go tool -modfile=tools/go.mod

VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  := -s -w -X github.com/solocron/solocron/telemetry.version=$(VERSION)
# A count, not a time: with a time go test sometimes fails when it is up (golang/go#75804).
FUZZTIME ?= 2000000x
# The packages to test; `make test PKG=./election/...` for some of them.
PKG      ?= ./...

.PHONY: help build compile fmt fmt-check vet lint needs needs-race test test-race test-rules test-chart chart-update test-image check bench bench-short bench-vet fuzz fuzz-short chaos page page-check test-page test-page-short screenshots clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## the static binary for release, in dist/
	@mkdir -p dist
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o dist/scheduler ./cmd/scheduler

# Plain flags, so that vet, lint and this share what they compile; the flags of
# a release would compile everything once more.
compile:
	go build ./...

fmt: ## rewrite the code in its one format
	@$(TOOL) gofumpt -w $$(.ci/gofiles)

fmt-check:
	@out=$$($(TOOL) gofumpt -l $$(.ci/gofiles)); \
	[ -z "$$out" ] || { echo "not formatted (make fmt):"; echo "$$out"; exit 1; }

vet: ## go vet, the product and the benchmark
	go vet ./...
	go -C bench vet ./...

lint: ## static analysis
	$(TOOL) golangci-lint run ./...

needs:
	@.ci/needs

needs-race:
	@.ci/needs race

test: needs ## all tests; installs redis-server, etcd, postgresql and prometheus when missing (root on Debian)
	@.ci/gotest -timeout 15m $(PKG)

test-race: needs-race ## the same with the race detector
	@.ci/gotest -race -timeout 20m $(PKG)

test-rules: needs ## alert and recording rules by promtool, and a real Prometheus that scrapes a cluster
	@.ci/gotest -timeout 10m ./deploy/prometheus ./deploy/grafana

test-chart: ## the Helm chart, the manifests, compose file and unit: linted, rendered, and taken by the program
	@.ci/needs chart
	@cd deploy/charttest && ../../.ci/gotest -timeout 10m ./...

chart-update: ## what is made of the chart and copied into it: its README, deploy/kubernetes, rules and dashboards
	@go -C deploy/charttest test -count 1 -run 'Readme|RulesAndDashboards|PlainManifests' . -update

test-image: ## both images, built by buildah and run as the chart has them run (root on Debian; minutes)
	@.ci/image

check: fmt-check vet lint compile fuzz-short test-race test-chart page-check test-page-short ## what a change must pass

# Not in check: govulncheck. It asks the vulnerability database on the network,
# which the machines that build this cannot reach.

bench: needs ## the promises about speed, as ratios in one run, in minutes
	@go -C bench run .

bench-short: needs ## the same in under a minute: smoke, not proof
	@go -C bench run . -short

fuzz-short: ## the parser of schedules, for seconds: smoke, not proof
	@go test -run '^$$' -fuzz '^FuzzParse$$' -fuzztime 30000x -fuzzminimizetime 1x ./schedule </dev/null

fuzz: ## every fuzz test, FUZZTIME inputs each (two million: some minutes)
	@go list -f '{{.ImportPath}}' ./... | while read -r pkg; do \
		{ go test -list '^Fuzz' "$$pkg" | grep '^Fuzz' || true; } | while read -r name; do \
			echo "$$pkg $$name"; \
			go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x "$$pkg" </dev/null; \
		done; \
	done

chaos: needs-race ## the long versions of the tests that kill, cut and delay
	@SOLOCRON_CHAOS=1 .ci/gotest -race -count 1 -timeout 90m ./internal/faultproxy ./internal/chaos ./internal/cluster ./internal/e2e ./internal/matrix ./election/redlock

page: ## the web page, from web/ into admin/page/dist (needs node and npm)
	@.ci/page build

page-check: ## types and format of web/, and that admin/page/dist is what it gives
	@.ci/page check

test-page: ## the page in a real browser, ten minutes at most; installs nodejs, npm, chromium and redis-server when missing (root on Debian)
	@.ci/page test

test-page-short:
	@.ci/page test-short

screenshots: ## every screen, both themes, wide and phone, into web/screenshots
	@.ci/page screenshots

clean: ## remove what make made
	rm -rf dist bench/out
