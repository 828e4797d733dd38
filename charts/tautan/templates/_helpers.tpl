{{- define "tautan.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}
{{- end }}

{{- define "tautan.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Labels that select the pods of a component. Arguments: root, component. */}}
{{- define "tautan.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "tautan.labels" -}}
{{ include "tautan.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/*
The workloads: the service that each runs, its role, what it serves, what it connects to and whether it reads the plans.
Their Deployments, Services, certificates and network policies derive from this table.
*/}}
{{- define "tautan.workloads" -}}
gateway: { service: gateway, http: 3000, calls: [links, workspaces, webhooks, qr, billing], uses: [plans, nats, redis] }
redirect: { service: links, role: redirect, http: 8081, uses: [plans, mongodb, nats] }
links: { service: links, role: api, grpc: 50051, uses: [plans, mongodb, nats] }
stats: { service: links, role: stats, uses: [plans, mongodb, nats] }
qr: { service: qr, grpc: 50051, calls: [links], uses: [plans, mongodb, nats] }
workspaces: { service: workspaces, grpc: 50051, uses: [plans, mongodb, nats, identity, encryption, mail] }
billing: { service: billing, grpc: 50051, uses: [plans, mongodb, nats, payments] }
webhooks: { service: webhooks, grpc: 50051, uses: [plans, mongodb, nats, encryption, internet] }
{{- end }}

{{/* Whether a workload serves or calls gRPC, and so has a certificate. */}}
{{- define "tautan.hasRpc" -}}
{{- if or .grpc .calls }}true{{ end }}
{{- end }}

{{- define "tautan.trialSecret" -}}
{{ include "tautan.fullname" . }}-trial
{{- end }}

{{- define "tautan.encryptionSecret" -}}
{{ .Values.encryption.existingSecret | default (printf "%s-encryption" (include "tautan.fullname" .)) }}
{{- end }}

{{- define "tautan.rpcSecret" -}}
{{ include "tautan.fullname" .root }}-{{ .name }}-rpc
{{- end }}

{{/* DNS names of a workload's certificate: the name that servers accept, then the host names that clients verify. */}}
{{- define "tautan.dnsNames" -}}
{{- $host := printf "%s-%s" (include "tautan.fullname" .root) .name -}}
{{- list .name $host (printf "%s.%s" $host .root.Release.Namespace) (printf "%s.%s.svc" $host .root.Release.Namespace) | toJson }}
{{- end }}

{{/* A rule of a NetworkPolicy for ports of any address. None for an empty list, because a rule without ports allows all. */}}
{{- define "tautan.toPorts" -}}
{{- with . }}
- ports: [{{ range $i, $port := . }}{{ if $i }}, {{ end }}{ port: {{ $port }} }{{ end }}]
{{- end }}
{{- end }}

{{/* The port of a URL. */}}
{{- define "tautan.portOf" -}}
{{- $url := urlParse . }}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "80" "443" (eq $url.scheme "http")) }}
{{- end }}

{{/* The ports of the name servers that a workload queries, as JSON: 53 and those of `DNS_SERVERS`. The argument is its settings. */}}
{{- define "tautan.dnsPorts" -}}
{{- $ports := list "53" }}
{{- range .DNS_SERVERS | default "" | toString | nospace | splitList "," }}
{{- /* An IPv6 address with a port is in brackets. Otherwise its colons are part of the address. */}}
{{- if regexMatch "^([^:]+|\\[.+\\]):[0-9]+$" . }}{{ $ports = append $ports (regexFind "[0-9]+$" .) }}{{ end }}
{{- end }}
{{- $ports | uniq | toJson }}
{{- end }}

{{- define "tautan.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .user }}
runAsGroup: {{ .user }}
fsGroup: {{ .user }}
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tautan.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ .readOnly }}
capabilities: { drop: [ALL] }
{{- end }}

{{/* All configuration errors in one message. */}}
{{- define "tautan.validate" -}}
{{- $problems := list }}
{{- $v := .Values }}
{{- if not $v.publicUrl }}{{ $problems = append $problems "publicUrl: must be set, for example https://go.example.com" }}{{ end }}
{{- if not $v.trial.enabled }}
{{- if not $v.mongodb.existingSecret }}{{ $problems = append $problems "mongodb.existingSecret: must name a Secret with the connection string, unless trial.enabled is true" }}{{ end }}
{{- if not $v.nats.url }}{{ $problems = append $problems "nats.url: must be set, unless trial.enabled is true" }}{{ end }}
{{- if and (ne $v.nats.authentication "none") (not $v.nats.existingSecret) }}{{ $problems = append $problems (printf "nats.existingSecret: must be set, since nats.authentication is %s" $v.nats.authentication) }}{{ end }}
{{- end }}
{{- if and $v.identity.url (not $v.identity.audience) }}{{ $problems = append $problems "identity.audience: must be set, since identity.url is set" }}{{ end }}
{{- if and $v.identity.url (not $v.identity.clientId) }}{{ $problems = append $problems "identity.clientId: must be set, since identity.url is set" }}{{ end }}
{{- if and $v.mail.existingSecret (not $v.mail.from) }}{{ $problems = append $problems "mail.from: must be set, since mail.existingSecret is set" }}{{ end }}
{{- if and $v.payments.existingSecret (ne $v.defaultPlan "FREE") }}{{ $problems = append $problems "defaultPlan: must be FREE, since payments.existingSecret is set" }}{{ end }}
{{- if and $v.routes.gateway.enabled (not $v.routes.gateway.parentRefs) }}{{ $problems = append $problems "routes.gateway.parentRefs: must name a Gateway, since routes.gateway.enabled is true" }}{{ end }}
{{- if $problems }}{{ fail (printf "\nThe values are invalid:\n  %s" (join "\n  " $problems)) }}{{ end }}
{{- end }}
