{{/* Settings of the process, of which a change rolls the pods. Addresses of listeners, the
     file of tokens and the time until a pod is killed come by the environment: the Deployment says them, and
     whoever brings a ConfigMap of their own has them too. */}}
{{- define "solocron.settings" -}}
{{- $r := .Values.redis -}}
{{- $redis := dict -}}
{{- if $r.deploy.enabled -}}
{{- $_ := set $redis "addr" (printf "%s-redis:6379" (include "solocron.fullname" .)) -}}
{{- else if $r.addrs -}}
{{- $_ := set $redis "addrs" $r.addrs -}}
{{- if $r.sentinelMaster }}{{ $_ := set $redis "sentinel" (dict "master" $r.sentinelMaster) }}{{ end -}}
{{- if $r.cluster }}{{ $_ := set $redis "cluster" true }}{{ end -}}
{{- else -}}
{{- $_ := set $redis "addr" $r.addr -}}
{{- end -}}
{{- if $r.username }}{{ $_ := set $redis "username" $r.username }}{{ end -}}
{{- if include "solocron.redisSecret" . }}{{ $_ := set $redis "password" (dict "file" "/etc/solocron/redis/password") }}{{ end -}}
{{- if $r.tls.enabled -}}
{{- $tls := dict "enabled" true -}}
{{- if $r.tls.serverName }}{{ $_ := set $tls "serverName" $r.tls.serverName }}{{ end -}}
{{- if $r.tls.existingSecret }}{{ $_ := set $tls "ca" "/etc/solocron/redis-tls/ca.crt" }}{{ end -}}
{{- if $r.tls.clientCertificate -}}
{{- $_ := set $tls "cert" "/etc/solocron/redis-tls/tls.crt" -}}
{{- $_ := set $tls "key" "/etc/solocron/redis-tls/tls.key" -}}
{{- end -}}
{{- $_ := set $redis "tls" $tls -}}
{{- end -}}
{{- $settings := dict "namespace" (default (printf "%s/%s" .Release.Namespace .Release.Name) .Values.namespace) "redis" $redis "shutdownGrace" .Values.shutdownGrace "log" (dict "format" "json") -}}
{{- if and .Values.auth.enabled .Values.auth.cookieKeyKey -}}
{{- $_ := set $settings "admin" (dict "cookieKey" (dict "file" "/etc/solocron/auth/cookie-key")) -}}
{{- end -}}
{{- toYaml (mergeOverwrite $settings (deepCopy .Values.config)) -}}
{{- end -}}

{{/* What can be exchanged while the pods run. */}}
{{- define "solocron.sections" -}}
{{- if .Values.jobsFile -}}
{{- .Values.jobsFile -}}
{{- else -}}
{{- $v := .Values -}}
{{- range $key := list "defaults" "calendars" "concurrencyGroups" "notify" "jobs" -}}
{{- with get $v $key }}
{{ toYaml (dict $key .) }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A length of time such as 1m30s in whole seconds, rounded up. */}}
{{- define "solocron.seconds" -}}
{{- $text := toString . -}}
{{- $sum := 0.0 -}}
{{- if ne $text "0" -}}
{{- if not (regexMatch "^([0-9]+([.][0-9]*)?(d|h|ms|us|ns|m|s))+$" $text) -}}
{{- fail (printf "%q is no length of time such as 90s" $text) -}}
{{- end -}}
{{- $sizes := dict "d" 86400.0 "h" 3600.0 "m" 60.0 "s" 1.0 "ms" 0.001 "us" 0.000001 "ns" 0.000000001 -}}
{{- range regexFindAll "[0-9.]+[a-z]+" $text -1 -}}
{{- $sum = addf $sum (mulf (float64 (regexFind "^[0-9.]+" .)) (get $sizes (regexFind "[a-z]+$" .))) -}}
{{- end -}}
{{- end -}}
{{- ceil $sum -}}
{{- end -}}

{{/* What a pod needs to stop: shutdownGrace, the longest stopGracePeriod of a job that
     starts a process, and 5 s to close. Not known of an existing ConfigMap: there the
     scheduler itself refuses at its start. */}}
{{- define "solocron.stopSeconds" -}}
{{- $sections := fromYaml (include "solocron.sections" .) -}}
{{- $usual := default "10s" (default dict $sections.defaults).stopGracePeriod -}}
{{- $longest := 0 -}}
{{- range $sections.jobs -}}
{{- if or (hasKey . "command") (hasKey . "shell") -}}
{{- $longest = max $longest (int (include "solocron.seconds" (default $usual .stopGracePeriod))) -}}
{{- end -}}
{{- end -}}
{{- add (int (include "solocron.seconds" (default .Values.shutdownGrace .Values.config.shutdownGrace))) $longest 5 -}}
{{- end -}}
