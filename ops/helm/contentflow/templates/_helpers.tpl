{{- /* Names and labels. A release that is called contentflow has no second name in front. */ -}}
{{- define "contentflow.name" -}}
{{- if eq .Release.Name "contentflow" }}contentflow{{ else }}{{ printf "%s-contentflow" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- /* Of all pods of a release. */ -}}
{{- define "contentflow.selector" -}}
app.kubernetes.io/name: contentflow
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "contentflow.labels" -}}
{{ include "contentflow.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}
