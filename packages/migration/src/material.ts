import type { Json } from './json.ts'

/** What was exported of a catalog. */
export interface Material {
  /** Foreign JSON by part; parts that are not there were not exported. */
  readonly parts: Json
  /** The first documents, as JSON texts. */
  readonly sample: readonly string[]
}
