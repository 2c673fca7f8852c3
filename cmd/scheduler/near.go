package main

import (
	"errors"
	"net"
	"strconv"
)

// nearPorts is how many ports after the one that is wished are tried.
const nearPorts = 20

// listenNear binds addr or, if it is taken, the next free port.
func listenNear(addr string) (net.Listener, error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, usagef("--listen %q is not host:port", addr)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, usagef("--listen %q: the port is not a number", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, usagef("--listen %q is not a loopback address: dev is for this machine alone, serve knows who may do what", addr)
	}
	var faults []error
	for p := port; p <= min(port+nearPorts, 65535); p++ {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.FormatUint(p, 10)))
		if err == nil {
			return l, nil
		}
		faults = append(faults, err)
	}
	return nil, errors.Join(faults...)
}
