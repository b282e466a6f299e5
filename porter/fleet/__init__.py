"""Many ports, on this machine or on a cluster: a plan, tasks, and one table of results."""
