/** How many levels the body of a request may nest. */
export const maxDepth = 100;

/** Admin bodies wrap service bodies, so they may nest deeper. */
export const maxAdminDepth = maxDepth + 10;

/** How many worlds a server can have. */
export const maxWorlds = 10_000;

/** The largest body of an admin call, in bytes: a state of about 65,000 groups. A larger seed has to be a fixture. */
export const maxAdminBytes = 10_000_000;
