package config

import (
	"math"

	"go.yaml.in/yaml/v3"
)

const (
	maxDepth  = 64      // nesting, aliases followed
	maxSpread = 20      // how many times larger aliases may make a file
	freeNodes = 100_000 // what aliases may add to any file
)

// shape checks that walking over top with its aliases followed will end, and
// soon: a few lines of aliases of aliases stand for billions of nodes.
func (c *collector) shape(top *yaml.Node) bool {
	s := shaper{c: c, sizes: map[*yaml.Node]int{}}
	size, ok := s.size(top, 0)
	if !ok {
		return false
	}
	if size > freeNodes && size/maxSpread > s.own {
		c.at(s.first, nil, "the aliases of this file stand for too many nodes: it would be more than %d times as large without them", maxSpread)
		return false
	}
	return true
}

type shaper struct {
	c     *collector
	sizes map[*yaml.Node]int // of anchored nodes; 0 while being measured
	own   int                // nodes of the file itself
	first *yaml.Node         // with an anchor
}

// size counts the nodes below n with aliases followed.
func (s *shaper) size(n *yaml.Node, depth int) (int, bool) {
	if depth > maxDepth {
		s.c.at(n, nil, "is nested too deep: at most %d levels", maxDepth)
		return 0, false
	}
	if n.Kind == yaml.AliasNode {
		return s.alias(n)
	}
	s.own++
	if n.Anchor != "" {
		s.sizes[n] = 0
		if s.first == nil {
			s.first = n
		}
	}
	sum := 1
	for _, child := range n.Content {
		add, ok := s.size(child, depth+1)
		if !ok {
			return 0, false
		}
		if sum > math.MaxInt-add {
			sum = math.MaxInt - add
		}
		sum += add
	}
	if n.Anchor != "" {
		s.sizes[n] = sum
	}
	return sum, true
}

// alias returns the size of the node that n stands for, which was measured
// before: an alias follows its anchor.
func (s *shaper) alias(n *yaml.Node) (int, bool) {
	size := s.sizes[n.Alias]
	if size == 0 {
		s.c.at(n, nil, "*%s stands inside what it refers to", cut(n.Value, 40))
		return 0, false
	}
	return size, true
}
