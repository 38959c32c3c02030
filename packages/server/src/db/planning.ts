/**
 * How statements are planned, whatever the server's defaults are. Tables hold all workspaces, so what a statement wants of one
 * is found by an index, which a default made for turning disks keeps the planner from; and none is long enough to be compiled.
 */
export const PLANNING = ['random_page_cost=1.1', 'jit=off']
