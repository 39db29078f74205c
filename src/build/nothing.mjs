// Stands in for a package that is bundled with another but never called.
export const json = undefined;
