import type { Area } from '../places/area.ts'
import type { QueryVector } from '../vectors/quantise.ts'

/**
 * The filter tree: a condition that matches without scoring. Field numbers are field ordinals.
 *
 * An array field matches a leaf if any of its elements does. `not` is the exact complement and
 * includes documents without the field.
 */
export type FilterNode =
  | { readonly kind: 'and'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  | ElementsNode
  | FilterLeaf

/**
 * One element of an `object[]` field matches `node`, whose leaves test fields of its elements;
 * `not` in it applies to the element. No leaf of `node` is `ids`, and no node another `elements`.
 */
export interface ElementsNode {
  readonly kind: 'elements'
  /** Ordinal of the `object[]` field. */
  readonly field: number
  readonly node: FilterNode
}

export type FilterLeaf =
  /**
   * Equals the whole value. Strings: after `Analyzer.fold`; `value` is already folded. Numbers,
   * here and in ranges, may exceed the range of the field.
   */
  | {
      readonly kind: 'equals'
      readonly field: number
      readonly value: string | number | bigint | boolean
    }
  /**
   * Strings with this prefix after `Analyzer.fold`; `prefix` is already folded, and never empty.
   */
  | { readonly kind: 'valuePrefix'; readonly field: number; readonly prefix: string }
  /** Numeric fields. Absent bounds are open. int64 fields have bigint bounds, others number. */
  | {
      readonly kind: 'range'
      readonly field: number
      readonly low?: number | bigint
      readonly high?: number | bigint
      /** Both are true by default. */
      readonly lowInclusive?: boolean
      readonly highInclusive?: boolean
    }
  /**
   * One value contains all these forms (folded, not stemmed), in any order; joined tokens count.
   * Never empty.
   */
  | { readonly kind: 'words'; readonly field: number; readonly forms: readonly string[] }
  /** One value contains a word that starts with `prefix` (folded, never empty). */
  | { readonly kind: 'wordPrefix'; readonly field: number; readonly prefix: string }
  /** A place of a geopoint field lies in the area. */
  | { readonly kind: 'within'; readonly field: number; readonly area: Area }
  /** The vector of a `vector` field has at least this similarity to another. */
  | {
      readonly kind: 'near'
      readonly field: number
      readonly vector: QueryVector
      readonly least: number
    }
  /** The document has a value. An empty string is a value, an empty array is not. */
  | { readonly kind: 'exists'; readonly field: number }
  /** Document id, byte for byte. */
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
