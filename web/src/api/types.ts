import type { components } from "./schema";

type Schemas = components["schemas"];

export type Job = Schemas["Job"];
export type JobDetails = Schemas["JobDetails"];
export type Jobs = Schemas["Jobs"];
export type Run = Schemas["Run"];
export type Runs = Schemas["Runs"];
export type RunDetails = Schemas["RunDetails"];
export type Upcoming = Schemas["Upcoming"];
export type Outcome = Schemas["Outcome"];
export type Param = Schemas["Param"];
export type Gate = Schemas["Gate"];
export type Lease = Schemas["Lease"];
export type Cluster = Schemas["Cluster"];
export type Replica = Schemas["Replica"];
export type Deed = Schemas["Deed"];
export type Session = Schemas["Session"];

/** Role is what somebody may do: each may do all that the ones before may. */
export type Role = Session["role"];

/** JobState is how a job stands, in one word. */
export type JobState = Job["state"];
