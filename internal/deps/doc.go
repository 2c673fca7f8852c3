// Package deps holds the import rules of the house: which package may know of
// which other. Its test applies them to the whole module, so that a wrong
// import fails the build with the reason why it is wrong.
package deps
