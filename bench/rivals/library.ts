import type { BenchQuery } from '../lib/query-classes.ts'

/** A document of the catalog, numbered from 1. */
export interface RivalDocument {
  readonly key: number
  readonly price?: number
  readonly [field: string]: unknown
}

/** A rival that is a JavaScript library. */
export interface Library {
  add(document: RivalDocument): Promise<void> | void
  /** Finds the top ten, the exact count, and requested facets. Returns the count. */
  search(query: BenchQuery): Promise<number> | number
}

/** Edits that the service allows per word: none up to 3 letters, one up to 6, else two. */
export function editsOf(word: string): number {
  return word.length <= 3 ? 0 : word.length <= 6 ? 1 : 2
}

/** What users of a library without facets write: one pass over the results. */
export function countValues(
  documents: Iterable<RivalDocument>,
  facets: readonly string[],
): Map<string, Map<unknown, number>> {
  const counts = new Map(facets.map((facet) => [facet, new Map<unknown, number>()]))
  for (const document of documents) {
    for (const [facet, byValue] of counts) {
      const value = document[facet]
      for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
        byValue.set(one, (byValue.get(one) ?? 0) + 1)
      }
    }
  }
  return counts
}

/** The searched fields as one text, for a library without fields. */
export function textOf(document: RivalDocument, fields: readonly string[]): string {
  return fields
    .map((name) => document[name])
    .filter((value) => typeof value === 'string')
    .join(' ')
}
