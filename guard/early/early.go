package early

import "github.com/solocron/solocron/guard/internal/supervisor"

// A variable, because what initialises it runs when package syscall is ready,
// and before almost everything else.
var _ = supervisor.Main()
