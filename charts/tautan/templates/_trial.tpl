{{/* The realm of the trial's Keycloak, as JSON. Arguments: root, secret (of the client `tautan`). */}}
{{- define "tautan.realm" -}}
{{- $url := .root.Values.publicUrl -}}
{{- $audience := dict "name" "audience" "protocol" "openid-connect" "protocolMapper" "oidc-audience-mapper" "config" (dict "included.custom.audience" (printf "%s/api/v1" $url) "access.token.claim" "true") -}}
{{- $web := dict "clientId" "tautan" "secret" .secret "protocol" "openid-connect" "standardFlowEnabled" true "directAccessGrantsEnabled" true "redirectUris" (list (printf "%s/*" (lower $url))) "webOrigins" (list (lower $url)) "protocolMappers" (list $audience) -}}
{{- $terminal := dict "clientId" "tautan-cli" "publicClient" true "protocol" "openid-connect" "standardFlowEnabled" false "attributes" (dict "oauth2.device.authorization.grant.enabled" "true") "protocolMappers" (list $audience) -}}
{{- dict "realm" "tautan" "enabled" true "registrationAllowed" true "registrationEmailAsUsername" true "revokeRefreshToken" true "clients" (list $web $terminal) | toJson -}}
{{- end }}

{{/*
A server of the trial: one pod with its Service.
Arguments: root, name, image, port, user, memory, container (other fields of the container), mounts, volumes, data (mount
path of the data volume, if there is one).
*/}}
{{- define "tautan.trialServer" }}
{{- $scope := dict "root" .root "component" .name }}
{{- $persistent := and .data .root.Values.trial.persistence.enabled }}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "tautan.fullname" .root }}-{{ .name }}
  labels: {{- include "tautan.labels" $scope | nindent 4 }}
spec:
  serviceName: {{ include "tautan.fullname" .root }}-{{ .name }}
  replicas: 1
  selector:
    matchLabels: {{- include "tautan.selector" $scope | nindent 6 }}
  template:
    metadata:
      # Without chart and product versions, so that an upgrade does not restart a database.
      labels: {{- include "tautan.selector" $scope | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{ toJson . }}
      {{- end }}
      securityContext: {{- include "tautan.podSecurity" (dict "user" .user) | nindent 8 }}
      {{- include "tautan.scheduling" .root.Values.defaults | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ .image }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          ports: [{ name: {{ .name }}, containerPort: {{ .port }} }]
          securityContext: {{- include "tautan.containerSecurity" (dict "readOnly" (ne .name "keycloak")) | nindent 12 }}
          resources: { requests: { cpu: 50m, memory: {{ .memory }} } }
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if .data }}
            - { name: data, mountPath: {{ .data }} }
            {{- end }}
            {{- range .mounts }}
            - {{ toJson . }}
            {{- end }}
          {{- toYaml .container | nindent 10 }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- if and .data (not $persistent) }}
        - { name: data, emptyDir: {} }
        {{- end }}
        {{- range .volumes }}
        - {{ toJson . }}
        {{- end }}
  {{- if $persistent }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .root.Values.trial.persistence.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ .root.Values.trial.persistence.size }} } }
  {{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "tautan.fullname" .root }}-{{ .name }}
  labels: {{- include "tautan.labels" $scope | nindent 4 }}
spec:
  selector: {{- include "tautan.selector" $scope | nindent 4 }}
  ports: [{ name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }]
{{- end }}

{{- define "tautan.fromSecret" -}}
{ name: {{ .name }}, valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } } }
{{- end }}

{{- define "tautan.trialMongodbContainer" }}
{{- $secret := include "tautan.trialSecret" . }}
{{- if .Values.trial.mongodb.authentication }}
# A replica set with users requires a key file that only its owner can read.
command: [bash, -c, 'rm -f /tmp/key; (umask 377; printf %s "$REPLICA_KEY" >/tmp/key); exec docker-entrypoint.sh mongod --replSet rs0 --bind_ip_all --keyFile /tmp/key']
env:
  - { name: HOME, value: /tmp }
  - { name: MONGO_INITDB_ROOT_USERNAME, value: tautan }
  - {{ include "tautan.fromSecret" (dict "name" "MONGO_INITDB_ROOT_PASSWORD" "secret" $secret "key" "mongodb-password") }}
  - {{ include "tautan.fromSecret" (dict "name" "REPLICA_KEY" "secret" $secret "key" "mongodb-replica-key") }}
{{- else }}
command: [docker-entrypoint.sh, mongod, --replSet, rs0, --bind_ip_all]
env: [{ name: HOME, value: /tmp }]
{{- end }}
# Initiates the replica set. Ready when its member is the primary.
startupProbe:
  periodSeconds: 2
  failureThreshold: 60
  timeoutSeconds: 10
  exec:
    command:
      - bash
      - -c
      - >-
        mongosh --quiet ${MONGO_INITDB_ROOT_PASSWORD:+-u tautan -p "$MONGO_INITDB_ROOT_PASSWORD"} --eval
        'try { rs.status() } catch { rs.initiate({ _id: "rs0", members: [{ _id: 0, host: "localhost:27017" }] }) }
        if (!db.hello().isWritablePrimary) quit(1)'
readinessProbe:
  tcpSocket: { port: mongodb }
{{- end }}

{{- define "tautan.trialNatsContainer" }}
{{- $secret := include "tautan.trialSecret" . }}
command: [nats-server, --config, /etc/nats/nats.conf]
env:
  - {{ include "tautan.fromSecret" (dict "name" "NATS_PASSWORD" "secret" $secret "key" "nats-password") }}
readinessProbe:
  httpGet: { path: /healthz, port: 8222 }
  periodSeconds: 3
{{- end }}

{{- define "tautan.trialValkeyContainer" }}
command: [sh, -c, 'exec valkey-server --requirepass "$VALKEY_PASSWORD" --save "" --appendonly no --dir /tmp']
env:
  - {{ include "tautan.fromSecret" (dict "name" "VALKEY_PASSWORD" "secret" (include "tautan.trialSecret" .) "key" "redis-password") }}
readinessProbe:
  tcpSocket: { port: valkey }
  periodSeconds: 3
{{- end }}

{{- define "tautan.trialKeycloakContainer" }}
command: [/opt/keycloak/bin/kc.sh, start-dev, --import-realm, --http-port=8080, --hostname={{ .Values.trial.keycloak.url }}, --hostname-backchannel-dynamic=true]
env:
  - { name: KC_BOOTSTRAP_ADMIN_USERNAME, value: admin }
  - {{ include "tautan.fromSecret" (dict "name" "KC_BOOTSTRAP_ADMIN_PASSWORD" "secret" (include "tautan.trialSecret" .) "key" "keycloak-password") }}
readinessProbe:
  httpGet: { path: /realms/tautan/.well-known/openid-configuration, port: keycloak }
  periodSeconds: 5
  failureThreshold: 30
{{- end }}
