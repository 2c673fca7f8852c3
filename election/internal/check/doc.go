// Package check holds the limits that every lease store enforces on what it is
// asked, before anything is sent or touched. A store's own record may enforce
// more: whatever depends on the store's clock.
package check
