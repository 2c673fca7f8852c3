// Package grafana writes the dashboard for Solocron. People import dashboard.json,
// or have it provisioned; its source is rows.go.
package grafana
