{{/* Settings of a workload that are not secret. The argument has the fields root, name, workload and values. */}}
{{- define "tautan.settings" -}}
{{- $root := .root }}{{ $v := .root.Values }}{{ $w := .workload }}
{{- $full := include "tautan.fullname" $root }}
{{- $env := dict "LOG_LEVEL" $v.logLevel "DRAIN_TIMEOUT_MS" (printf "%d" (mul 1000 (int $v.drainSeconds))) }}
{{- if and (has "plans" $w.uses) $v.plans }}{{ $_ := set $env "PLANS_FILE" "/etc/tautan/plans/plans.json" }}{{ end }}
{{- if $w.role }}{{ $_ := set $env "ROLES" $w.role }}{{ end }}
{{- if has $w.service (list "gateway" "links" "qr" "billing") }}{{ $_ := set $env "BASE_URL" $v.publicUrl }}{{ end }}
{{- if and (eq $w.service "links") $v.ownHosts }}{{ $_ := set $env "OWN_HOSTS" (join "," $v.ownHosts) }}{{ end }}
{{- if eq $w.service "links" }}
{{- with $v.customDomains.target }}{{ $_ := set $env "DOMAIN_TARGET" . }}{{ end }}
{{- with $v.customDomains.addresses }}{{ $_ := set $env "DOMAIN_ADDRESSES" (join "," .) }}{{ end }}
{{- end }}
{{- if and $w.http $v.trustedProxies }}{{ $_ := set $env "TRUSTED_PROXIES" (join "," $v.trustedProxies) }}{{ end }}
{{- if eq (toString $w.role) "redirect" }}{{ $_ := set $env "COUNTRY_HEADERS" (join "," $v.countryHeaders | default ",") }}{{ end }}
{{- if has (default $w.service $w.role) (list "gateway" "redirect") }}
{{- range $setting, $value := $v.brand }}{{ if $value }}{{ $_ := set $env (printf "BRAND_%s" (upper $setting)) $value }}{{ end }}{{ end }}
{{- end }}
{{- if eq (toString $w.role) "redirect" }}
{{- range $setting, $value := dict "ROOT_URL" $v.redirectTo.root "NOT_FOUND_URL" $v.redirectTo.notFound "EXPIRED_URL" $v.redirectTo.expired }}{{ if $value }}{{ $_ := set $env $setting $value }}{{ end }}{{ end }}
{{- end }}
{{- if has $w.service (list "workspaces" "billing") }}{{ $_ := set $env "DEFAULT_PLAN" $v.defaultPlan }}{{ end }}
{{- range $w.calls }}{{ $_ := set $env (printf "%s_ADDRESS" (upper .)) (printf "dns:///%s-%s:50051" $full .) }}{{ end }}
{{- if include "tautan.hasRpc" $w }}
{{- range $setting, $file := dict "CA" "ca.crt" "CERT" "tls.crt" "KEY" "tls.key" }}{{ $_ := set $env (printf "RPC_TLS_%s" $setting) (printf "/etc/tautan/rpc/%s" $file) }}{{ end }}
{{- end }}
{{- $_ := set $env "NATS_URL" ($v.trial.enabled | ternary (printf "nats://%s-nats:4222" $full) $v.nats.url) }}
{{- $_ := set $env "NATS_REPLICAS" (toString $v.nats.replicas) }}
{{- if not $v.trial.enabled }}
{{- if eq $v.nats.authentication "creds" }}{{ $_ := set $env "NATS_CREDS_FILE" "/etc/tautan/nats/nats.creds" }}{{ end }}
{{- if eq $v.nats.authentication "nkey" }}{{ $_ := set $env "NATS_NKEY_FILE" "/etc/tautan/nats/nats.nk" }}{{ end }}
{{- include "tautan.tlsFiles" (dict "env" $env "prefix" "NATS" "folder" "nats-tls" "of" $v.nats) }}
{{- end }}
{{- if has "redis" $w.uses }}{{ include "tautan.tlsFiles" (dict "env" $env "prefix" "REDIS" "folder" "redis-tls" "of" $v.redis) }}{{ end }}
{{- if has "identity" $w.uses }}
{{- $identity := dict "URL" $v.identity.url "ISSUER" $v.identity.issuer "AUDIENCE" $v.identity.audience "CLIENT_ID" $v.identity.clientId "DEVICE_CLIENT_ID" $v.identity.deviceClientId "WORKSPACES" $v.identity.workspaces }}
{{- if include "tautan.usesTrialKeycloak" $root }}
{{- $identity = dict "URL" (printf "http://%s-keycloak:8080/realms/tautan" $full) "AUDIENCE" (printf "%s/api/v1" $v.publicUrl) "CLIENT_ID" "tautan" "DEVICE_CLIENT_ID" "tautan-cli" "WORKSPACES" "local" }}
{{- end }}
{{- if $identity.URL }}{{ range $setting, $value := $identity }}{{ if $value }}{{ $_ := set $env (printf "IDENTITY_%s" $setting) $value }}{{ end }}{{ end }}{{ end }}
{{- end }}
{{- if and (has "mail" $w.uses) $v.mail.existingSecret }}
{{- range $setting, $value := dict "MAIL_FROM" $v.mail.from "BASE_URL" $v.publicUrl "BRAND_NAME" $v.brand.name }}{{ if $value }}{{ $_ := set $env $setting $value }}{{ end }}{{ end }}
{{- end }}
{{- range $setting, $value := $v.telemetry.environment }}{{ $_ := set $env $setting (toString $value) }}{{ end }}
{{- range $setting, $value := .values.settings }}{{ $_ := set $env $setting (include "tautan.text" $value) }}{{ end }}
{{- toYaml $env }}
{{- end }}

{{/* A setting as text. Integers are written without an exponent. */}}
{{- define "tautan.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- define "tautan.tlsFiles" -}}
{{- if .of.tlsSecret }}
{{- $_ := set .env (printf "%s_TLS_CA" .prefix) (printf "/etc/tautan/%s/ca.crt" .folder) }}
{{- if .of.clientCertificate }}
{{- $_ := set .env (printf "%s_TLS_CERT" .prefix) (printf "/etc/tautan/%s/tls.crt" .folder) }}
{{- $_ := set .env (printf "%s_TLS_KEY" .prefix) (printf "/etc/tautan/%s/tls.key" .folder) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Whether the trial's Keycloak signs users in. It does unless `identity.url` names another provider. */}}
{{- define "tautan.usesTrialKeycloak" -}}
{{- if and .Values.trial.enabled .Values.trial.keycloak.enabled (not .Values.identity.url) }}true{{ end }}
{{- end }}

{{/* Settings from Secrets, as `NAME: {name, key}`. */}}
{{- define "tautan.secretSettings" -}}
{{- $v := .root.Values }}{{ $w := .workload }}{{ $trial := include "tautan.trialSecret" .root }}
{{- $env := dict }}
{{- if has "mongodb" $w.uses }}{{ $_ := set $env "MONGODB_URI" (ne $v.mongodb.existingSecret "" | ternary (dict "name" $v.mongodb.existingSecret "key" $v.mongodb.key) (dict "name" $trial "key" "mongodb-uri")) }}{{ end }}
{{- if $v.trial.enabled }}
{{- range list "user" "password" }}{{ $_ := set $env (printf "NATS_%s" (upper .)) (dict "name" $trial "key" (printf "nats-%s" .)) }}{{ end }}
{{- else if eq $v.nats.authentication "user" }}
{{- range list "user" "password" }}{{ $_ := set $env (printf "NATS_%s" (upper .)) (dict "name" $v.nats.existingSecret "key" .) }}{{ end }}
{{- else if eq $v.nats.authentication "token" }}{{ $_ := set $env "NATS_TOKEN" (dict "name" $v.nats.existingSecret "key" "token") }}
{{- end }}
{{- if has "redis" $w.uses }}
{{- if $v.redis.existingSecret }}{{ $_ := set $env "REDIS_URL" (dict "name" $v.redis.existingSecret "key" $v.redis.key) }}
{{- else if $v.trial.enabled }}{{ $_ := set $env "REDIS_URL" (dict "name" $trial "key" "redis-url") }}{{ end }}
{{- end }}
{{- if has "encryption" $w.uses }}{{ $_ := set $env "ENCRYPTION_KEYS" (dict "name" (include "tautan.encryptionSecret" .root) "key" $v.encryption.key) }}{{ end }}
{{- if has "identity" $w.uses }}
{{- if include "tautan.usesTrialKeycloak" .root }}{{ $_ := set $env "IDENTITY_CLIENT_SECRET" (dict "name" $trial "key" "client-secret") }}
{{- else if and $v.identity.url $v.identity.existingSecret }}{{ $_ := set $env "IDENTITY_CLIENT_SECRET" (dict "name" $v.identity.existingSecret "key" $v.identity.key) }}{{ end }}
{{- end }}
{{- if and (has "mail" $w.uses) $v.mail.existingSecret }}{{ $_ := set $env "SMTP_URL" (dict "name" $v.mail.existingSecret "key" $v.mail.key) }}{{ end }}
{{- if and (has "payments" $w.uses) $v.payments.existingSecret }}
{{- range list "secret-key" "webhook-secret" }}{{ $_ := set $env (printf "PAYMENT_%s" (upper . | replace "-" "_")) (dict "name" $v.payments.existingSecret "key" .) }}{{ end }}
{{- end }}
{{- toYaml $env }}
{{- end }}

{{- define "tautan.env" -}}
{{- range $name, $value := include "tautan.settings" . | fromYaml }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- range $name, $ref := include "tautan.secretSettings" . | fromYaml }}
- { name: {{ $name }}, valueFrom: { secretKeyRef: { name: {{ $ref.name }}, key: {{ $ref.key }} } } }
{{- end }}
{{- end }}

{{/* Files of a workload, as `name: {secret | configMap, folder}`. */}}
{{- define "tautan.files" -}}
{{- $v := .root.Values }}{{ $w := .workload }}
{{- $files := dict }}
{{- if include "tautan.hasRpc" $w }}{{ $_ := set $files (printf "rpc-%s" .name) (dict "secret" (include "tautan.rpcSecret" .) "folder" "rpc") }}{{ end }}
{{- if and (has "mongodb" $w.uses) $v.mongodb.tlsSecret }}{{ $_ := set $files "mongodb-tls" (dict "secret" $v.mongodb.tlsSecret "folder" "mongodb") }}{{ end }}
{{- if not $v.trial.enabled }}
{{- if and (has "nats" $w.uses) $v.nats.tlsSecret }}{{ $_ := set $files "nats-tls" (dict "secret" $v.nats.tlsSecret "folder" "nats-tls") }}{{ end }}
{{- if has $v.nats.authentication (list "creds" "nkey") }}{{ $_ := set $files "nats" (dict "secret" $v.nats.existingSecret "folder" "nats") }}{{ end }}
{{- end }}
{{- if and (has "redis" $w.uses) $v.redis.tlsSecret }}{{ $_ := set $files "redis-tls" (dict "secret" $v.redis.tlsSecret "folder" "redis-tls") }}{{ end }}
{{- if and (has "plans" $w.uses) $v.plans }}{{ $_ := set $files "plans" (dict "configMap" (printf "%s-plans" (include "tautan.fullname" .root)) "folder" "plans") }}{{ end }}
{{- toYaml $files }}
{{- end }}

{{- define "tautan.volumeMounts" -}}
{{- range $name, $file := include "tautan.files" . | fromYaml }}
- { name: {{ $name }}, mountPath: /etc/tautan/{{ $file.folder }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "tautan.volumes" -}}
{{- range $name, $file := include "tautan.files" . | fromYaml }}
- name: {{ $name }}
  {{- if $file.secret }}
  secret: { secretName: {{ $file.secret }}, defaultMode: 0440 }
  {{- else }}
  configMap: { name: {{ $file.configMap }} }
  {{- end }}
{{- end }}
{{- end }}

{{/* Common fields of the pods that run the image of the services. */}}
{{- define "tautan.podCommon" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  {{- include "tautan.podSecurity" (dict "user" 1000) | nindent 2 }}
{{- end }}

{{/* Where the pods of a workload may run. The argument is the values of the workload. */}}
{{- define "tautan.scheduling" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .affinity }}
affinity: {{ toJson . }}
{{- end }}
{{- end }}
