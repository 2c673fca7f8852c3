package jobs

// StatFields reads a line of /proc/PID/stat.
var StatFields = statFields

// OnlyZombies judges a process group.
var OnlyZombies = onlyZombies
