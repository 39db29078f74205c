/**
 * How many levels the body of a call may nest. What is kept is serialised again for state and journal, and
 * JSON.stringify overflows the stack at some thousands of levels.
 */
export const maxDepth = 100;

/** Admin bodies wrap service bodies, so they may nest deeper. */
export const maxAdminDepth = maxDepth + 10;

/** The largest body of an admin call, in bytes. */
export const maxAdminBytes = 1_000_000;

/** The largest state over the admin API, 65,000 groups as they are exported; larger seeds are fixtures. */
export const maxStateBytes = 10_000_000;
