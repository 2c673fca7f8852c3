package importer

import "go.yaml.in/yaml/v3"

// cronJob is what is read of a CronJob of batch/v1. A nil is a field left out.
type cronJob struct {
	APIVersion string `yaml:"apiVersion"`
	Metadata   struct {
		Name      string            `yaml:"name"`
		Namespace string            `yaml:"namespace"`
		Labels    map[string]string `yaml:"labels"`
	} `yaml:"metadata"`
	Spec struct {
		Schedule                   string `yaml:"schedule"`
		TimeZone                   string `yaml:"timeZone"`
		ConcurrencyPolicy          string `yaml:"concurrencyPolicy"`
		StartingDeadlineSeconds    *int64 `yaml:"startingDeadlineSeconds"`
		Suspend                    bool   `yaml:"suspend"`
		SuccessfulJobsHistoryLimit *int   `yaml:"successfulJobsHistoryLimit"`
		FailedJobsHistoryLimit     *int   `yaml:"failedJobsHistoryLimit"`
		JobTemplate                struct {
			Spec jobSpec `yaml:"spec"`
		} `yaml:"jobTemplate"`
	} `yaml:"spec"`
}

type jobSpec struct {
	ActiveDeadlineSeconds *int64 `yaml:"activeDeadlineSeconds"`
	BackoffLimit          *int   `yaml:"backoffLimit"`
	Template              struct {
		Spec podSpec `yaml:"spec"`
	} `yaml:"template"`
}

type podSpec struct {
	RestartPolicy                 string      `yaml:"restartPolicy"`
	ActiveDeadlineSeconds         *int64      `yaml:"activeDeadlineSeconds"`
	TerminationGracePeriodSeconds *int64      `yaml:"terminationGracePeriodSeconds"`
	Containers                    []container `yaml:"containers"`
}

type container struct {
	Name       string   `yaml:"name"`
	Image      string   `yaml:"image"`
	Command    []string `yaml:"command"`
	Args       []string `yaml:"args"`
	WorkingDir string   `yaml:"workingDir"`
	Env        []envVar `yaml:"env"`
}

type envVar struct {
	Name      string     `yaml:"name"`
	Value     string     `yaml:"value"`
	ValueFrom *valueFrom `yaml:"valueFrom"`
}

type valueFrom struct {
	SecretKeyRef    *keyRef    `yaml:"secretKeyRef"`
	ConfigMapKeyRef *keyRef    `yaml:"configMapKeyRef"`
	FieldRef        *yaml.Node `yaml:"fieldRef"`
}

type keyRef struct {
	Name string `yaml:"name"`
	Key  string `yaml:"key"`
}
