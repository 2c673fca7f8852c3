# The build stage needs no C compiler: every dependency, SQLite included, is Go.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=dev
ARG TARGETOS
ARG TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} \
    go build -trimpath -ldflags "-s -w -X github.com/solocron/solocron/telemetry.version=${VERSION}" -o /out/scheduler ./cmd/scheduler

# Directories the program may write to, made here because scratch has no mkdir.
RUN mkdir -p /out/tmp /out/var && chmod 1777 /out/tmp && chown 65532:65532 /out/var

# Nothing but the binary, the certificates it trusts, and two writable places.
# Time zones are embedded in the binary.
FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/tmp /tmp
COPY --from=build --chown=65532:65532 /out/var /var/lib/solocron
COPY --from=build /out/scheduler /scheduler
WORKDIR /var/lib/solocron
# A number, so that Kubernetes can verify runAsNonRoot without a passwd file.
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/scheduler"]
CMD ["serve", "-c", "/etc/solocron/config.yaml"]
