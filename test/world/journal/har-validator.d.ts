/** The package has no types of its own; this is the part that is used. */
declare module "har-validator" {
  /** Rejects with the problems when it is no HTTP Archive. */
  export function har(archive: unknown): Promise<unknown>;
}
