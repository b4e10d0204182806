import type { Json } from './json.ts'

/** The exported parts of a catalog. */
export interface Material {
  /** Foreign JSON by part; missing parts were not exported. */
  readonly parts: Json
  /** The first documents, as JSON texts. */
  readonly sample: readonly string[]
}
