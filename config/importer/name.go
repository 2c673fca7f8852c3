package importer

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

const maxName = 60 // bytes of a name made from a command

// names gives out each name once. It counts how often a name was wished for, so that
// a thousand jobs of one name are no thousand times a thousand look-ups.
type names map[string]int

// unique makes wish a name that a job may have and no other job has.
func (n names) unique(wish string) string {
	base := valid(wish)
	for name := base; ; name = base + "-" + strconv.Itoa(n[base]) {
		n[base]++
		if name == base && n[base] == 1 {
			return base
		}
		if _, taken := n[name]; !taken {
			n[name] = 1
			return name
		}
	}
}

// valid is s with everything that a name may not hold turned into dashes.
func valid(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == maxName {
			break
		}
	}
	if name := strings.Trim(b.String(), "-._"); name != "" {
		return name
	}
	return "job"
}

// named proposes a name for a command: its program, and the word after it if that
// is one, such as certbot-renew.
func named(command string) string {
	words := significant(strings.Fields(command))
	if len(words) == 0 {
		return "job"
	}
	name := program(words[0])
	rest := words[1:]
	if interpreters(name) {
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") && rest[0] != "-" {
			rest = rest[1:]
		}
		if len(rest) > 0 {
			return withoutExtension(program(rest[0]))
		}
	}
	if short := withoutExtension(name); short != name {
		return short
	}
	if len(rest) > 0 && bare(rest[0]) {
		name += "-" + rest[0]
	}
	return name
}

// significant skips what stands before the program that does the work.
func significant(words []string) []string {
	for len(words) > 0 {
		w := words[0]
		switch base := program(w); {
		case w == "cd" || w == "test" || w == "[" || w == "." || w == "source" || w == "sleep":
			i := slices.IndexFunc(words, func(s string) bool { return s == "&&" || s == "||" || strings.HasSuffix(s, ";") })
			if i < 0 || i+1 == len(words) {
				return words
			}
			words = words[i+1:]
		case strings.Trim(w, "{}()!;&|") == "", strings.Contains(w, "=") && !strings.HasPrefix(w, "-"):
			words = words[1:]
		case slices.Contains([]string{"nice", "ionice", "chronic", "sudo", "env", "exec", "nohup", "timeout", "flock", "time", "setsid", "stdbuf"}, base):
			words = options(words[1:])
		default:
			return words
		}
	}
	return words
}

// options skips options, and what looks like the argument of a wrapper: a number, a
// length of time, a lock file.
func options(words []string) []string {
	for len(words) > 1 {
		w := strings.Trim(words[0], `"'`)
		lock := strings.HasSuffix(w, ".lock") || strings.HasSuffix(w, ".lck") || strings.HasSuffix(w, ".pid")
		if (w == "-u" || w == "-g") && len(words) > 2 {
			words = words[1:] // the user is its argument
		}
		if !strings.HasPrefix(w, "-") && strings.Trim(w, "0123456789smhd.") != "" && !lock {
			break
		}
		words = words[1:]
	}
	return words
}

// program is the last part of a path, without quotes and punctuation.
func program(word string) string {
	word = strings.Trim(word, `"'();&|`)
	if word == "" {
		return "job"
	}
	return path.Base(word)
}

func interpreters(name string) bool {
	switch strings.TrimRight(name, "0123456789.") {
	case "sh", "bash", "dash", "zsh", "ksh", "python", "perl", "ruby", "node", "php", "Rscript":
		return true
	}
	return false
}

// withoutExtension cuts .sh and the like off the name of a script.
func withoutExtension(name string) string {
	switch ext := path.Ext(name); ext {
	case ".sh", ".bash", ".py", ".pl", ".rb", ".php", ".js", ".jar", ".R":
		if name != ext {
			return strings.TrimSuffix(name, ext)
		}
	}
	return name
}

// bare reports whether word is a plain word, as subcommands are.
func bare(word string) bool {
	return word != "" && len(word) <= 30 && word[0] >= 'a' && word[0] <= 'z' && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
