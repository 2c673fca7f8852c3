# Two images from one file: `static`, the default, holds the program and nothing to
# run a shell with; `--target alpine` adds one, for jobs of the kind shell. How it is
# tested, and how it is built twice to the same bytes: docs/packaging.md.

ARG GO_IMAGE=golang:1.26
# What the images stand on. The static one needs nothing of its base.
ARG BASE=scratch
ARG SHELL_BASE=alpine:3.22

# No C compiler is needed, and no emulation to build for another processor: every
# dependency, SQLite included, is Go.
FROM --platform=${BUILDPLATFORM:-linux/amd64} ${GO_IMAGE} AS build
WORKDIR /src
# As in the environment of go: another proxy, or file:///... for a build without a network.
ARG GOPROXY
ARG GOSUMDB
ENV GOMODCACHE=/cache/mod GOCACHE=/cache/build CGO_ENABLED=0
COPY . .
ARG VERSION=dev
ARG REVISION
ARG TARGETOS
ARG TARGETARCH
# No go mod download before: it fetches modules that only tests of other modules need.
# -trimpath and no buildvcs: the same source and Go give the same bytes wherever they lie.
RUN --mount=type=cache,target=/cache/mod --mount=type=cache,target=/cache/build \
    GOOS=${TARGETOS} GOARCH=${TARGETARCH} go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X github.com/solocron/solocron/telemetry.version=${VERSION} -X github.com/solocron/solocron/telemetry.revision=${REVISION}" -o /out/scheduler ./cmd/scheduler
# The place jobs may write to, made here because the static image has no mkdir.
RUN mkdir -p /out/lib/solocron /out/root/tmp && chmod 1777 /out/root/tmp

# What both have in common. Time zones are embedded in the program.
FROM ${SHELL_BASE} AS alpine
ARG VERSION=dev
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="solocron" \
      org.opencontainers.image.description="Distributed cron scheduler: each moment of a job runs on exactly one replica (with a shell)" \
      org.opencontainers.image.source="https://github.com/solocron/solocron" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
COPY --from=build --chown=65532:65532 /out/lib/ /var/lib/
COPY --from=build /out/scheduler /scheduler
WORKDIR /var/lib/solocron
USER 65532:65532
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
ENTRYPOINT ["/scheduler"]
CMD ["serve", "-c", "/etc/solocron/config.yaml"]

FROM ${BASE} AS static
ARG VERSION=dev
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="solocron" \
      org.opencontainers.image.description="Distributed cron scheduler: each moment of a job runs on exactly one replica" \
      org.opencontainers.image.source="https://github.com/solocron/solocron" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/root/ /
COPY --from=build --chown=65532:65532 /out/lib/ /var/lib/
COPY --from=build /out/scheduler /scheduler
WORKDIR /var/lib/solocron
# A number, so that Kubernetes can verify runAsNonRoot without a passwd file.
USER 65532:65532
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
ENTRYPOINT ["/scheduler"]
CMD ["serve", "-c", "/etc/solocron/config.yaml"]
