package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/solocron/solocron/config"
	"github.com/solocron/solocron/jobs"
)

func TestEveryKindOfRedisCanBeNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]config.Redis{
		"{addr: 'r:1'}":    {Addr: "r:1", Protocol: 3},
		"{addrs: ['r:1']}": {Addrs: []string{"r:1"}, Protocol: 3},
		"{addrs: ['a:1', 'b:1'], cluster: true, protocol: 2}": {
			Addrs: []string{"a:1", "b:1"}, Cluster: true, Protocol: 2,
		},
		"{addrs: ['a:1', 'b:1'], sentinel: {master: m, password: {env: S}}, db: 2}": {
			Addrs: []string{"a:1", "b:1"}, DB: 2, Protocol: 3,
			Sentinel: config.Sentinel{Master: "m", Password: jobs.Secret{Env: "S"}},
		},
		"{addr: 'r:1', tls: {enabled: true}}":                               {Addr: "r:1", Protocol: 3, TLS: config.TLS{Enabled: true}},
		"{addr: 'r:1', tls: {ca: /ca}}":                                     {Addr: "r:1", Protocol: 3, TLS: config.TLS{Enabled: true, CA: "/ca"}},
		"{addr: 'r:1', tls: {enabled: false, ca: /ca}}":                     {Addr: "r:1", Protocol: 3, TLS: config.TLS{CA: "/ca"}},
		"{addr: 'r:1', tls: {cert: /c, key: /k}}":                           {Addr: "r:1", Protocol: 3, TLS: config.TLS{Enabled: true, Cert: "/c", Key: "/k"}},
		"{addr: 'r:1', waitReplicas: 2}":                                    {Addr: "r:1", Protocol: 3, WaitReplicas: 2, WaitTimeout: 500 * time.Millisecond},
		"{addr: 'r:1', waitAOF: true, waitReplicas: 1, waitTimeout: 300ms}": {Addr: "r:1", Protocol: 3, WaitReplicas: 1, WaitAOF: true, WaitTimeout: 300 * time.Millisecond},
	} {
		got := good(t, "redis: "+text+"\n"+oneJob).Redis
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

func TestEveryLeaseStoreCanBeNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]config.Lease{
		"{store: redis}": {},
		"{store: redlock, redlock: {addrs: ['a:1', 'a:2', 'b:1'], nodeTimeout: 200ms, durable: true}}": {
			Store: config.OnRedlock, Redlock: config.Redlock{Addrs: []string{"a:1", "a:2", "b:1"}, NodeTimeout: 200 * time.Millisecond, Durable: true},
		},
		"{store: etcd, etcd: {endpoints: ['a:2379'], tls: {ca: /ca}, prefix: p}}": {
			Store: config.OnEtcd, Etcd: config.Etcd{Endpoints: []string{"a:2379"}, TLS: config.TLS{Enabled: true, CA: "/ca"}, Prefix: "p"},
		},
	} {
		got := good(t, "lease: "+text+"\n"+oneJob).Lease
		if want.Etcd.Prefix == "" {
			want.Etcd.Prefix = "solocron"
		}
		if got.Store != want.Store || fmt.Sprintf("%+v %+v", got.Redlock, got.Etcd) != fmt.Sprintf("%+v %+v", want.Redlock, want.Etcd) || got.TTL == 0 {
			t.Errorf("%s:\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

// TestWhatNoRedisCanBeIsRefusedWithTheFix holds each fault against its place and a
// part of its words.
func TestWhatNoRedisCanBeIsRefusedWithTheFix(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"redis: {addr: 'a:1', addrs: ['b:1']}":                                             "1:29 redis.addrs stands beside redis.addr: keep one",
		"redis: {addrs: []}":                                                               "1:16 redis.addrs is empty",
		"redis: {addrs: ['a:1', 'b:1']}":                                                   "1:16 redis.addrs names 2 servers: say what they are, by sentinel",
		"redis: {addrs: ['a:1', 'A.:1'], cluster: true}":                                   "1:24 redis.addrs[1] is the same server as redis.addrs[0]",
		"redis: {addrs: ['a:1', 'redis://u:hunter2@b:1'], cluster: true}":                  "1:24 redis.addrs[1] must be host:port without a scheme",
		"redis: {addrs: ['a:1'], cluster: true, db: 3}":                                    "1:44 redis.db must be 0: a Cluster has no other database",
		"redis: {addrs: ['a:1'], cluster: true, sentinel: {master: m}}":                    "1:34 redis.cluster stands beside redis.sentinel",
		"redis: {addrs: ['a:1'], sentinel: {}}":                                            "1:35 redis.sentinel lacks master",
		"redis: {sentinel: {master: m}}":                                                   "1:19 redis.sentinel needs redis.addrs",
		"redis: {addrs: ['a:1'], sentinel: {master: 'a b'}}":                               "redis.sentinel.master must have at most 200",
		"redis: {addrs: ['a:1'], sentinel: {master: m, username: u}}":                      "redis.sentinel.username needs redis.sentinel.password",
		"redis: {username: u}":                                                             "1:19 redis.username needs redis.password",
		"redis: {protocol: 4}":                                                             "1:19 redis.protocol must be 2 or 3",
		"redis: {db: -1}":                                                                  "1:13 redis.db must be from 0",
		"redis: {tls: {cert: /c}}":                                                         "1:21 redis.tls.cert needs key",
		"redis: {tls: {key: /k}}":                                                          "1:20 redis.tls.key needs cert",
		"redis: {tls: {serverName: 'a b'}}":                                                "redis.tls.serverName must have",
		"redis: {waitReplicas: 17}":                                                        "1:23 redis.waitReplicas must be from 0 to 16",
		"redis: {waitReplicas: 1, waitTimeout: 1s}":                                        "1:39 redis.waitTimeout is 1s: it must be whole milliseconds, at least 1ms and less than lease.tryTimeout 1s",
		"redis: {waitAOF: true}":                                                           "1:18 redis.waitAOF needs waitReplicas",
		"redis: {waitTimeout: 1s}":                                                         "1:22 redis.waitTimeout has no effect",
		"redis: {addr: embedded, waitReplicas: 1}":                                         "1:39 redis.waitReplicas makes no sense with redis.addr embedded",
		"redis: {addr: embedded, cluster: true}":                                           "1:34 redis.cluster makes no sense",
		"redis: {addr: embedded, password: hunter2}":                                       "1:35 redis.password makes no sense",
		"redis: {addr: embedded, tls: {enabled: true}}":                                    "1:30 redis.tls makes no sense",
		"redis: {addr: embedded, sentinel: {master: m}}":                                   "1:35 redis.sentinel makes no sense",
		"{redis: {addr: embedded}, lease: {store: etcd, etcd: {endpoints: ['a:1']}}}":      "lease.store is etcd beside redis.addr embedded",
		"lease: {store: zookeeper}":                                                        `1:16 lease.store "zookeeper" is unknown: there are redis, redlock and etcd`,
		"lease: {store: redlock}":                                                          "1:16 lease.store names 0 servers for Redlock",
		"lease: {store: redlock, redlock: {addrs: ['a:1', 'b:1', 'c:1', 'd:1']}}":          "1:42 lease.redlock.addrs names 4 servers: take an odd number",
		"lease: {store: redlock, redlock: {addrs: ['a:1']}}":                               "1:42 lease.redlock.addrs names 1 servers",
		"lease: {store: redlock, redlock: {addrs: ['localhost:1', 'a:1', '127.0.0.1:1']}}": "1:65 lease.redlock.addrs[2] is the same server as lease.redlock.addrs[0]",
		"lease: {store: redlock, redlock: {addrs: ['a:1','b:1','c:1'], nodeTimeout: 2s}}":  "lease.redlock.nodeTimeout must be from 1ms to lease.tryTimeout 1s",
		"lease: {redlock: {addrs: ['a:1', 'b:1', 'c:1']}}":                                 "1:18 lease.redlock has no effect while lease.store is redis",
		"lease: {etcd: {endpoints: ['a:1']}}":                                              "1:15 lease.etcd has no effect while lease.store is redis",
		"lease: {store: etcd}":                                                             "1:16 lease.store needs lease.etcd.endpoints",
		"lease: {store: etcd, etcd: {endpoints: ['http://a:1']}}":                          "lease.etcd.endpoints[0] must be host:port without a scheme",
		"lease: {store: etcd, etcd: {endpoints: ['a:1'], prefix: 'a b'}}":                  "lease.etcd.prefix must have 1 to 100",
		"{redis: {waitReplicas: 1}, lease: {store: etcd, etcd: {endpoints: ['a:1']}}}":     "redis.waitReplicas has no effect on lease.store etcd",
	} {
		file := text + "\n" + oneJob
		if strings.HasPrefix(text, "{") {
			file = strings.TrimSuffix(text, "}") + ", " + strings.TrimSpace(oneJob) + "}"
		}
		faults := bad(t, file)
		if len(faults) != 1 || !strings.Contains(faults.Error(), want) {
			t.Errorf("%s:\ngot  %v\nwant one that says %s", text, faults, want)
		}
		if strings.Contains(faults.Error(), "hunter2") {
			t.Errorf("%s: the message holds a secret", text)
		}
	}
}

func TestListsAndDeepSettingsCanBeOverridden(t *testing.T) {
	t.Parallel()
	env := environment("SCHEDULER_REDIS_ADDRS=a:1, b:2", "SCHEDULER_REDIS_SENTINEL_MASTER=m", "SCHEDULER_REDIS_SENTINEL_PASSWORD=hunter2", "SCHEDULER_REDIS_TLS_CA=/ca")
	cfg, err := loaded(t, "redis: {sentinel: {master: other}}\n"+oneJob, config.Overrides{Env: env, Flags: map[string]string{"lease.store": "redis"}})
	if err != nil {
		t.Fatal(err)
	}
	r := cfg.Redis
	if !slices.Equal(r.Servers(), []string{"a:1", "b:2"}) || r.Addr != "" || r.Sentinel.Master != "m" || !r.TLS.Enabled || r.TLS.CA != "/ca" {
		t.Errorf("got %+v", r)
	}
	if strings.Contains(fmt.Sprintf("%+v", r), "hunter2") {
		t.Error("the password of the sentinels shows")
	}
	_, err = loaded(t, oneJob, config.Overrides{Env: environment("SCHEDULER_REDIS_ADDRS=a:1,a:1", "SCHEDULER_REDIS_CLUSTER=true")})
	if want := "environment: SCHEDULER_REDIS_ADDRS item 2 is the same server as redis.addrs[0]"; fmt.Sprint(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
