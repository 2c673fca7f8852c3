{{- define "solocron.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Names leave room for what is put after them: Services have 63 characters. */}}
{{- define "solocron.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 49 | trimSuffix "-" -}}
{{- else if contains (include "solocron.name" .) .Release.Name -}}
{{- .Release.Name | trunc 49 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "solocron.name" .) | trunc 49 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "solocron.selector" -}}
app.kubernetes.io/name: {{ include "solocron.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: scheduler
{{- end -}}

{{- define "solocron.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: {{ include "solocron.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: solocron
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "solocron.image" -}}
{{- $i := .Values.image -}}
{{- $tag := default .Chart.AppVersion $i.tag -}}
{{- if $i.registry }}{{ $i.registry }}/{{ end }}{{ $i.repository }}
{{- if $i.digest }}@{{ $i.digest }}{{ else }}:{{ $tag }}{{ with $i.variant }}-{{ . }}{{ end }}{{ end -}}
{{- end -}}

{{- define "solocron.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "solocron.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "solocron.configMap" -}}
{{- default (include "solocron.fullname" .) .Values.existingConfigMap -}}
{{- end -}}

{{- define "solocron.authSecret" -}}
{{- default (printf "%s-auth" (include "solocron.fullname" .)) .Values.auth.existingSecret -}}
{{- end -}}

{{- define "solocron.redisSecret" -}}
{{- if .Values.redis.deploy.enabled -}}
{{- default (printf "%s-redis" (include "solocron.fullname" .)) .Values.redis.deploy.existingSecret -}}
{{- else -}}
{{- .Values.redis.existingSecret -}}
{{- end -}}
{{- end -}}

{{/* The port of an address, as a number. */}}
{{- define "solocron.port" -}}
{{- regexFind "[0-9]+$" . -}}
{{- end -}}
