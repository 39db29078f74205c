/** The package has no types of its own; this is the part that is used. */
declare module "har-validator" {
  /** Rejects if the value is not an HTTP Archive. */
  export function har(archive: unknown): Promise<unknown>;
}
