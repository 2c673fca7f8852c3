package notify

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/wneessen/go-mail"

	"github.com/solocron/solocron/config"
)

const mailTimeout = 15 * time.Second

// email sends mail over one server.
type email struct {
	settings config.Email
	dial     Dial
}

// Send implements Sender. All who get it are in one mail; it fails if the server
// does not take it for one of them.
func (e *email) Send(ctx context.Context, d *Delivery) error {
	m, err := e.compose(d)
	if err != nil {
		return &RefusedError{err}
	}
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	client, err := e.client(func(dialing context.Context, network, addr string) (net.Conn, error) {
		conn, err := e.connect(dialing, network, addr)
		if err == nil { // go-mail leaves it open if the server offers no TLS
			context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	})
	if err != nil {
		return err
	}
	if err := client.DialAndSendWithContext(ctx, m); err != nil {
		return fmt.Errorf("%s: %w", e.settings.Host, err)
	}
	return nil
}

// connect connects to the server, with TLS if that is there from the first byte on.
func (e *email) connect(ctx context.Context, network, addr string) (net.Conn, error) {
	dial := e.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	conn, err := dial(ctx, network, addr)
	if err != nil || e.settings.TLS != config.MailImplicitTLS {
		return conn, err
	}
	secured := tls.Client(conn, &tls.Config{ServerName: e.settings.Host, MinVersion: tls.VersionTLS12})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secured, nil
}

func (e *email) client(dial mail.DialContextFunc) (*mail.Client, error) {
	s := &e.settings
	options := []mail.Option{mail.WithTimeout(mailTimeout), mail.WithDialContextFunc(dial)}
	switch cmp.Or(s.TLS, config.MailStartTLS) {
	case config.MailImplicitTLS:
		options = append(options, mail.WithSSL(), mail.WithPort(cmp.Or(s.Port, mail.DefaultPortSSL)))
	case config.MailPlain:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS), mail.WithPort(cmp.Or(s.Port, mail.DefaultPort)))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory), mail.WithPort(cmp.Or(s.Port, mail.DefaultPortTLS)))
	}
	if s.Username != "" {
		password, err := s.Password.Value()
		if err != nil {
			return nil, fmt.Errorf("password: %w", err)
		}
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.Username), mail.WithPassword(password))
	}
	client, err := mail.NewClient(s.Host, options...)
	if err != nil {
		return nil, fmt.Errorf("mail: %w", err)
	}
	return client, nil
}

func (e *email) compose(d *Delivery) (*mail.Msg, error) {
	m := mail.NewMsg()
	if err := m.From(e.settings.From); err != nil {
		return nil, fmt.Errorf("from: %w", err)
	}
	if err := m.To(e.settings.To...); err != nil {
		return nil, fmt.Errorf("to: %w", err)
	}
	const maxSubject = 200
	m.Subject("[solocron] " + short(d.Title(), maxSubject))
	m.SetDate()
	m.SetMessageIDWithValue(d.ID + "@solocron") // the same each time: who gets it twice sees it once
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(mail.TypeTextPlain, d.Title()+"\n\n"+d.Text()+"\n")
	return m, nil
}
