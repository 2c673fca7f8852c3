package grafana

import (
	"encoding/json"
	"fmt"
)

// The parts of Grafana's model that the dashboard uses.
type (
	model struct {
		UID           string     `json:"uid"`
		Title         string     `json:"title"`
		Description   string     `json:"description"`
		Tags          []string   `json:"tags"`
		SchemaVersion int        `json:"schemaVersion"`
		Editable      bool       `json:"editable"`
		Refresh       string     `json:"refresh"`
		Time          span       `json:"time"`
		Templating    templating `json:"templating"`
		Panels        []panel    `json:"panels"`
	}
	span struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	templating struct {
		List []variable `json:"list"`
	}
	variable struct {
		Name       string  `json:"name"`
		Label      string  `json:"label"`
		Type       string  `json:"type"`
		Query      string  `json:"query"`
		Datasource *source `json:"datasource,omitempty"`
		IncludeAll bool    `json:"includeAll"`
		Multi      bool    `json:"multi"`
		AllValue   string  `json:"allValue,omitempty"`
		Refresh    int     `json:"refresh"`
		Sort       int     `json:"sort"`
	}
	source struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
	grid struct {
		H int `json:"h"`
		W int `json:"w"`
		X int `json:"x"`
		Y int `json:"y"`
	}
	target struct {
		RefID   string `json:"refId"`
		Expr    string `json:"expr"`
		Legend  string `json:"legendFormat"`
		Instant bool   `json:"instant,omitempty"`
		Format  string `json:"format,omitempty"`
	}
	fields struct {
		Defaults defaults `json:"defaults"`
	}
	defaults struct {
		Unit       string      `json:"unit,omitempty"`
		Min        *int        `json:"min,omitempty"`
		NoValue    string      `json:"noValue,omitempty"`
		Thresholds *thresholds `json:"thresholds,omitempty"`
	}
	thresholds struct {
		Mode  string `json:"mode"`
		Steps []step `json:"steps"`
	}
	step struct {
		Color string   `json:"color"`
		Value *float64 `json:"value"`
	}
	panel struct {
		ID          int      `json:"id"`
		Type        string   `json:"type"`
		Title       string   `json:"title"`
		Description string   `json:"description,omitempty"`
		GridPos     grid     `json:"gridPos"`
		Datasource  *source  `json:"datasource,omitempty"`
		FieldConfig *fields  `json:"fieldConfig,omitempty"`
		Targets     []target `json:"targets,omitempty"`
	}
)

// the data source that people choose.
func chosen() *source { return &source{Type: "prometheus", UID: "${datasource}"} }

// width is how many columns a row of a dashboard has.
const width = 24

// Dashboard returns the dashboard as Grafana imports it.
func Dashboard() ([]byte, error) {
	m := model{
		UID: "solocron", Title: "Solocron", Description: "Jobs, replicas, leases and the store of a Solocron cluster.",
		Tags: []string{"solocron", "cron"}, SchemaVersion: 39, Editable: true, Refresh: "30s",
		Time: span{From: "now-6h", To: "now"}, Templating: templating{List: variables()},
	}
	y := 0
	for _, r := range rows() {
		m.Panels = append(m.Panels, panel{ID: len(m.Panels) + 1, Type: "row", Title: r.title, GridPos: grid{H: 1, W: width, Y: y}})
		y++
		x, tall := 0, 0
		for _, p := range r.panels {
			if x+p.GridPos.W > width {
				x, y, tall = 0, y+tall, 0
			}
			p.ID, p.GridPos.X, p.GridPos.Y = len(m.Panels)+1, x, y
			x, tall = x+p.GridPos.W, max(tall, p.GridPos.H)
			m.Panels = append(m.Panels, p)
		}
		y += tall
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	return append(text, '\n'), nil
}

// query is an expression and the name of what it answers.
type query struct{ expr, legend string }

func (p panel) asking(unit string, queries []query) panel {
	p.Datasource = chosen()
	p.FieldConfig = &fields{Defaults: defaults{Unit: unit}}
	for i, q := range queries {
		p.Targets = append(p.Targets, target{RefID: string(rune('A' + i)), Expr: q.expr, Legend: q.legend})
	}
	return p
}

// chart is lines over time.
func chart(title, description, unit string, queries ...query) panel {
	p := panel{Type: "timeseries", Title: title, Description: description, GridPos: grid{H: 8, W: 8}}.asking(unit, queries)
	p.FieldConfig.Defaults.Min = new(int)
	return p
}

// figure is one number, which is bad from a value on.
func figure(title, description, unit string, bad float64, q query) panel {
	p := panel{Type: "stat", Title: title, Description: description, GridPos: grid{H: 4, W: 4}}.asking(unit, []query{q})
	p.FieldConfig.Defaults.NoValue = "0"
	p.FieldConfig.Defaults.Thresholds = &thresholds{Mode: "absolute", Steps: []step{{Color: "green"}, {Color: "red", Value: &bad}}}
	return p
}

// table is a list of what is so now.
func table(title, description, unit string, q query) panel {
	p := panel{Type: "table", Title: title, Description: description, GridPos: grid{H: 8, W: 12}}.asking(unit, []query{q})
	p.Targets[0].Instant, p.Targets[0].Format = true, "table"
	return p
}
