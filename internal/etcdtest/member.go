package etcdtest

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	callLimit = time.Second
	maxAnswer = 64 << 10 // bytes
)

// Member is one running etcd process.
type Member struct {
	Endpoint string // http://127.0.0.1:port, or https

	tls  *tls.Config // nil: it is http
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	once sync.Once
}

func start(path, dir, name, client, peer, cluster string, secure *TLS) (*Member, error) {
	m := &Member{Endpoint: client, done: make(chan struct{})}
	m.cmd = exec.Command(path,
		"--name", name, "--data-dir", dir,
		"--listen-client-urls", client, "--advertise-client-urls", client,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
		"--initial-cluster", cluster, "--initial-cluster-state", "new", "--initial-cluster-token", strings.ReplaceAll(cluster, "/", "."),
		"--logger", "zap", "--log-level", "panic",
	)
	if secure != nil {
		m.tls = secure.Client
		m.cmd.Args = append(m.cmd.Args,
			"--cert-file", secure.Cert, "--key-file", secure.Key, "--trusted-ca-file", secure.CA, "--client-cert-auth")
	}
	m.cmd.SysProcAttr = sysProcAttr()
	if err := m.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(m.done)
		_ = m.cmd.Wait() // how it ended does not matter: it is killed
	}()
	return m, nil
}

// Pause stops the process as a frozen machine would: connections stay open and
// nothing is answered. Resume continues it.
func (m *Member) Pause() error { return m.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume continues a paused member.
func (m *Member) Resume() error { return m.cmd.Process.Signal(syscall.SIGCONT) }

// Stop kills the member and waits for its end. It may be called twice.
func (m *Member) Stop() {
	m.once.Do(func() {
		_ = m.cmd.Process.Kill() // fails only if it has ended already
	})
	<-m.done
}

// status is what a member says of itself.
type status struct {
	Header struct {
		Member string `json:"member_id"`
	} `json:"header"`
	Leader string `json:"leader"`
}

func (m *Member) status(ctx context.Context) (status, error) {
	var s status
	err := m.call(ctx, http.MethodPost, "/v3/maintenance/status", &s)
	return s, err
}

// healthy returns nil if the member can commit a write.
func (m *Member) healthy(ctx context.Context) error {
	var got struct {
		Health string `json:"health"`
	}
	if err := m.call(ctx, http.MethodGet, "/health", &got); err != nil {
		return err
	}
	if got.Health != "true" {
		return fmt.Errorf("health of etcd on %s is %q", m.Endpoint, got.Health)
	}
	return nil
}

// call asks over HTTP, on a connection of its own: none is left behind.
func (m *Member) call(ctx context.Context, method, path string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, m.Endpoint+path, bytes.NewReader([]byte("{}")))
	if err != nil {
		return err
	}
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: m.tls}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("etcd on %s answered %s: %w", m.Endpoint, resp.Status, err)
	}
	return nil
}
