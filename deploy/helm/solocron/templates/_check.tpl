{{/* What could only fail later, in a pod that does not start, is refused here, with the remedy. */}}
{{- define "solocron.check" -}}
{{- include "solocron.checkRedis" . -}}
{{- include "solocron.checkAccess" . -}}
{{- if not .Values.existingConfigMap -}}
{{- include "solocron.checkJobs" . -}}
{{- $needs := int (include "solocron.stopSeconds" .) -}}
{{- if lt (int .Values.terminationGracePeriodSeconds) $needs -}}
{{- fail (printf "terminationGracePeriodSeconds %d is too short: shutdownGrace, the longest stopGracePeriod of a job and 5 s to close are %d s. A pod that is killed leaves its runs to crash recovery" (int .Values.terminationGracePeriodSeconds) $needs) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "solocron.checkRedis" -}}
{{- $r := .Values.redis -}}
{{- $ways := 0 -}}
{{- range list $r.addr $r.addrs $r.deploy.enabled (get .Values.config "redis") .Values.existingConfigMap -}}
{{- if . }}{{ $ways = add1 $ways }}{{ end -}}
{{- end -}}
{{- if and (not $ways) -}}
{{- fail "where is Redis? Set redis.addr to host:port, and redis.existingSecret to the Secret with its password; or redis.deploy.enabled=true, to start a small one beside the scheduler" -}}
{{- end -}}
{{- if and $r.deploy.enabled (or $r.addr $r.addrs) -}}
{{- fail "redis.deploy.enabled starts a Redis, and redis.addr or redis.addrs name another: keep one of them" -}}
{{- end -}}
{{- if and $r.addrs (not $r.sentinelMaster) (not $r.cluster) -}}
{{- fail "redis.addrs are those of sentinels or of a Cluster: set redis.sentinelMaster or redis.cluster" -}}
{{- end -}}
{{- end -}}

{{- define "solocron.checkAccess" -}}
{{- $admin := default dict .Values.config.admin -}}
{{- range list "listen" "probes" -}}
{{- if hasKey $admin . }}{{ fail (printf "config.admin.%s is the chart's: Services and probes stand on it" .) }}{{ end -}}
{{- end -}}
{{- if and (not .Values.auth.enabled) (not .Values.existingConfigMap) (not (or $admin.tokens $admin.oidc $admin.proxy (dig "tls" "roles" "" $admin) $admin.insecureNoAuth)) -}}
{{- fail "auth.enabled is false, and config.admin has no other way to say who one is: everybody in the cluster could run commands. Set config.admin.oidc, proxy or tls.roles; or config.admin.insecureNoAuth=true, for a trial" -}}
{{- end -}}
{{- if and .Values.auth.enabled $admin.insecureNoAuth -}}
{{- fail "config.admin.insecureNoAuth stands beside auth.enabled: keep one of them" -}}
{{- end -}}
{{- end -}}

{{- define "solocron.checkJobs" -}}
{{- $v := .Values -}}
{{- if $v.jobsFile -}}
{{- $text := fromYaml $v.jobsFile -}}
{{- if hasKey $text "Error" }}{{ fail (printf "jobsFile is not YAML: %s" (get $text "Error")) }}{{ end -}}
{{- range $key, $_ := $text -}}
{{- if not (has $key (list "defaults" "calendars" "concurrencyGroups" "notify" "jobs")) -}}
{{- fail (printf "jobsFile has the key %s: settings go into config, or into values of their own" $key) -}}
{{- end -}}
{{- end -}}
{{- range list "defaults" "calendars" "concurrencyGroups" "notify" -}}
{{- if get $v . }}{{ fail (printf "%s stands beside jobsFile: put it into that file" .) }}{{ end -}}
{{- end -}}
{{- else if not $v.jobs -}}
{{- fail "there are no jobs: set jobs, jobsFile or existingConfigMap" -}}
{{- end -}}
{{- end -}}
