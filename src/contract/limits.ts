/**
 * How many levels the body of a call may nest. What is kept is serialised again for state and journal, and
 * JSON.stringify overflows the stack at some thousands of levels.
 */
export const maxDepth = 100;

/** Admin bodies wrap service bodies, so they may nest deeper. */
export const maxAdminDepth = maxDepth + 10;

/** The largest body of an admin call, in bytes. */
export const maxAdminBytes = 1_000_000;

/** The largest state: about 200,000 groups. */
export const maxStateBytes = 100_000_000;
