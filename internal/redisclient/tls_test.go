package redisclient_test

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/election/redislease/preflight"
	"github.com/solocron/solocron/internal/redisclient"
	"github.com/solocron/solocron/internal/redistest"
	"github.com/solocron/solocron/jobs"
)

// files are what a client of s needs.
func files(c *redistest.Certificates) *redisclient.TLS {
	return &redisclient.TLS{CA: c.CA, Cert: c.Client, Key: c.ClientKey, ServerName: c.ServerName}
}

func TestWhatKeepsAClientFromItsServerIsSaidWithItsRemedy(t *testing.T) {
	t.Parallel()
	open := redistest.Start(t)
	secure := redistest.StartTLS(t, "user app on >right ~* &* +@all")
	c := secure.Certificates
	member := redistest.StartCluster(t, 1, 0).Nodes[0]
	right := jobs.Secret{Literal: "right"}
	for name, c := range map[string]struct {
		s    redisclient.Settings
		want string // of the remedy; "": there is nothing to put right
	}{
		"all is well":          {redisclient.Settings{Addrs: []string{secure.Addr}, TLS: files(c), Username: "app", Password: right}, ""},
		"TLS to a plain port":  {redisclient.Settings{Addrs: []string{open.Addr}, TLS: files(c), Try: 200 * time.Millisecond}, "most likely it speaks none"},
		"plain to a TLS port":  {redisclient.Settings{Addrs: []string{secure.Addr}}, "set redis.tls: { enabled: true }"},
		"no certificate":       {redisclient.Settings{Addrs: []string{secure.Addr}, TLS: &redisclient.TLS{CA: c.CA}}, "see redis.tls.cert"},
		"an unknown authority": {redisclient.Settings{Addrs: []string{secure.Addr}, TLS: &redisclient.TLS{}}, "set redis.tls.ca"},
		"another name":         {redisclient.Settings{Addrs: []string{secure.Addr}, TLS: &redisclient.TLS{CA: c.CA, ServerName: "other"}}, "set redis.tls.serverName"},
		"no user":              {redisclient.Settings{Addrs: []string{secure.Addr}, TLS: files(c)}, "set redis.password"},
		"a wrong password": {
			redisclient.Settings{Addrs: []string{secure.Addr}, TLS: files(c), Username: "app", Password: jobs.Secret{Literal: "hunter2"}},
			"see redis.username and redis.password",
		},
		"a secret that is not there": {redisclient.Settings{Addrs: []string{open.Addr}, Password: jobs.Secret{Env: "SOLOCRON_NONE"}}, "make the password readable"},
		"a database too many":        {redisclient.Settings{Addrs: []string{open.Addr}, DB: 99}, "lower redis.db"},
		"a database in a cluster":    {redisclient.Settings{Addrs: []string{member.Addr}, DB: 3}, "set redis.db to 0"},
		"no cluster":                 {redisclient.Settings{Addrs: []string{open.Addr}, Cluster: true}, "take redis.cluster out"},
		"nobody":                     {redisclient.Settings{Addrs: []string{"127.0.0.1:1"}}, "nothing listens there"},
		"no sentinels":               {redisclient.Settings{Addrs: []string{open.Addr}, Sentinel: &redisclient.Sentinel{Master: "m"}}, "they must be those of sentinels"},
	} {
		err := client(t, c.s).Ping(t.Context()).Err()
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if got := preflight.Unreached("redis", err, ""); !strings.Contains(got.Fix, c.want) {
			t.Errorf("%s: %v: got %q, want what says %q", name, err, got.Fix, c.want)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error shows the password: %v", name, err)
		}
	}
}

func TestATLSHandshakeThatFailsProvesThatNothingWasSent(t *testing.T) {
	t.Parallel()
	secure := redistest.StartTLS(t)
	err := client(t, redisclient.Settings{Addrs: []string{secure.Addr}, TLS: &redisclient.TLS{}}).Ping(t.Context()).Err()
	if op, ok := errors.AsType[*net.OpError](err); !ok || op.Op != "dial" {
		t.Errorf("got %v (%T), want an error of dialling", err, err)
	}
}

func TestCertificatesAreReadAgainWhenTheyChange(t *testing.T) {
	t.Parallel()
	secure := redistest.StartTLS(t)
	right, dir := secure.Certificates, t.TempDir()
	wrong, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	own := redisclient.TLS{CA: dir + "/ca", Cert: dir + "/cert", Key: dir + "/key"}
	install := func(from, to string) {
		text, err := os.ReadFile(from)
		if err == nil {
			err = errors.Join(os.WriteFile(to+".new", text, 0o600), os.Rename(to+".new", to))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	install(wrong.CA, own.CA)
	install(right.Client, own.Cert)
	install(right.ClientKey, own.Key)
	rdb := client(t, redisclient.Settings{Addrs: []string{secure.Addr}, TLS: &own})
	if err := rdb.Ping(t.Context()).Err(); err == nil {
		t.Fatal("a server of another authority is trusted")
	}
	install(right.CA, own.CA)
	until(t, "the new authority to be trusted", 5*time.Second, func() bool { return rdb.Ping(t.Context()).Err() == nil })

	install(wrong.Client, own.Cert) // and the key of the old: an exchange half done
	secure.Do(t, "CLIENT", "KILL", "TYPE", "normal")
	until(t, "the old certificate to count on", 5*time.Second, func() bool { return asks(t.Context(), rdb, 4) == nil })

	install(wrong.ClientKey, own.Key)
	secure.Do(t, "CLIENT", "KILL", "TYPE", "normal")
	until(t, "the new certificate, which the server does not know, to be refused", 5*time.Second, func() bool {
		return asks(t.Context(), rdb, 4) != nil
	})
}

// TestACertificateForOtherProtocolsIsReadAgain has a server that tells the authority
// of the certificate that a client showed.
func TestACertificateForOtherProtocolsIsReadAgain(t *testing.T) {
	t.Parallel()
	first, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	second, err := redistest.MakeCertificates(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	own, err := tls.LoadX509KeyPair(first.Server, first.ServerKey)
	if err != nil {
		t.Fatal(err)
	}
	shown := make(chan string, 1)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{own}, ClientAuth: tls.RequestClientCert,
		VerifyConnection: func(s tls.ConnectionState) error {
			serial := "none"
			if len(s.PeerCertificates) > 0 {
				serial = s.PeerCertificates[0].SerialNumber.String()
			}
			shown <- serial
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.(*tls.Conn).HandshakeContext(t.Context()) // shown has what counts
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-served })

	path := t.TempDir() + "/"
	link := func(c *redistest.Certificates) string {
		for name, target := range map[string]string{"cert": c.Client, "key": c.ClientKey} {
			if err := errors.Join(os.Symlink(target, path+name+".new"), os.Rename(path+name+".new", path+name)); err != nil {
				t.Fatal(err)
			}
		}
		pair, err := tls.LoadX509KeyPair(c.Client, c.ClientKey)
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf.SerialNumber.String()
	}
	want := link(first)
	config, err := redisclient.TLSConfig(redisclient.TLS{CA: first.CA, Cert: path + "cert", Key: path + "key"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		conn, err := (&tls.Dialer{Config: config}).DialContext(t.Context(), "tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		if got := <-shown; got != want {
			t.Errorf("got the certificate %s, want %s", got, want)
		}
		want = link(second)
	}
}
