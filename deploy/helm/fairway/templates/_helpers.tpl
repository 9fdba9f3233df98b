{{- define "fairway.selector" -}}
app.kubernetes.io/name: fairway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "fairway.metadata" -}}
name: {{ .Release.Name }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "fairway.selector" . | nindent 2 }}
  app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
