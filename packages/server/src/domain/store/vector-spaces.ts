import type { Schema, VectorSpace } from '@aisle/engine'

/** The vectors that the documents of a store should have. */
export type WantedSpace = Omit<VectorSpace, 'number'>

/** What the row of a store says about its spaces; see `EmbeddingProgress`. */
export interface SpaceBook {
  readonly nextSpace: number
  readonly from: Readonly<Record<number, number>>
  readonly retired: readonly number[]
}

export interface Spaces {
  readonly schema: Schema
  readonly embedding: SpaceBook
}

const NO_SPACES: SpaceBook = { nextSpace: 1, from: {}, retired: [] }

/**
 * The spaces of a store after a change of its settings, its schema or its embedder. The first one
 * serves searches. A different one is filled beside it, and replaces it when it is complete.
 *
 * @param wanted undefined: none
 * @returns undefined if nothing changes
 */
export function changedSpaces(
  schema: Schema,
  embedding: SpaceBook = NO_SPACES,
  wanted: WantedSpace | undefined,
): Spaces | undefined {
  const spaces = schema.spaces ?? []
  if (wanted === undefined) return spaces.length === 0 ? undefined : keep(schema, embedding, [])
  const newest = spaces.at(-1)
  if (newest !== undefined && isSame(newest, wanted)) {
    // The same model under another name.
    if (newest.embedder === wanted.embedder) return undefined
    return keep(schema, embedding, spaces.with(-1, { ...newest, embedder: wanted.embedder }))
  }
  const [serving] = spaces
  if (serving !== undefined && isSame(serving, wanted)) return keep(schema, embedding, [serving])
  const made: VectorSpace = { ...wanted, number: embedding.nextSpace }
  const book = { ...embedding, nextSpace: embedding.nextSpace + 1 }
  const isServing = serving !== undefined && (embedding.from[serving.number] ?? 0) > 0
  return keep(schema, book, isServing ? [serving, made] : [made])
}

/** The newest space is complete: it serves. @returns undefined if it does already */
export function afterTakeover(schema: Schema, embedding: SpaceBook): Spaces | undefined {
  const spaces = schema.spaces ?? []
  return spaces.length < 2 ? undefined : keep(schema, embedding, spaces.slice(-1))
}

/** Retires all spaces but some. */
function keep(schema: Schema, embedding: SpaceBook, kept: readonly VectorSpace[]): Spaces {
  const { spaces = [], ...rest } = schema
  const numbers = new Set(kept.map(({ number }) => number))
  const gone = spaces.map(({ number }) => number).filter((number) => !numbers.has(number))
  const from = Object.entries(embedding.from).filter(([number]) => numbers.has(Number(number)))
  return {
    schema: kept.length === 0 ? rest : { ...rest, spaces: kept },
    embedding: {
      ...embedding,
      from: Object.fromEntries(from),
      retired: [...embedding.retired, ...gone],
    },
  }
}

function isSame(a: WantedSpace, b: WantedSpace): boolean {
  return (
    a.fingerprint === b.fingerprint &&
    a.dimensions === b.dimensions &&
    a.fields.join('\0') === b.fields.join('\0')
  )
}
