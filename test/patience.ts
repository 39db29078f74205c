/** For a condition that comes at once, unless the machine is busy: then a start alone takes many seconds. */
export const patience = { timeout: 120_000, interval: 5 };
