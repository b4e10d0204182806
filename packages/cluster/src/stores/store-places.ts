import { createAnalyzer } from '@aisle/engine'
import type { Schema } from '@aisle/engine'
import type { ProductPlace } from '../opensearch/product-requests.ts'
import type { ProductShape } from '../opensearch/product-body.ts'
import type { SlotMap } from '../opensearch/field-slots.ts'
import type { DocumentKind } from '../control/known-documents.ts'
import type { TermRules } from './term-rules.ts'

/** Where the documents of a store are, and how their terms were made. */
export interface StorePlace extends ProductPlace {
  readonly slots: SlotMap
  /** Of the analyzer: a BCP 47 tag. */
  readonly language: string
  /** Absent where nodes of several versions may have made the terms. */
  readonly rules?: TermRules | undefined
}

/**
 * The documents are being written anew in another place, which then takes over. Meanwhile each
 * write is made in both.
 */
export interface StoreMove {
  /** Its scope names the attempt: one that stands still is replaced by another one. */
  readonly to: StorePlace
  readonly documentsDone: number
  readonly documentsTotal: number
}

/** A place that was left. What is there is purged after a while. */
export interface LeftPlace extends ProductPlace {
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/**
 * What a store knows of its documents. It outlives the store: it has what is to be purged, and the
 * next store under the same id begins with it.
 */
export interface StoreDocuments {
  /** Of the store that all else belongs to. Of another one, all but `left` is left over. */
  readonly life: string
  readonly schema: Schema | undefined
  /** Absent before the first schema. */
  readonly place: StorePlace | undefined
  /** Of the analyzer that documents shall have; `place` has it, or a move brings it. */
  readonly language: string
  readonly move?: StoreMove | undefined
  readonly left: readonly LeftPlace[]
  /** Last change of the schema, or clear. Milliseconds since 1970; 0: none yet. */
  readonly changedMs: number
}

export const STORE_DOCUMENTS: DocumentKind<StoreDocuments> = {
  kind: 'documents',
  change: 'change the documents of the store',
  read: (json, before) => {
    const read = JSON.parse(json) as StoreDocuments
    const { schema } = read
    // What is looked up by its schema stays known.
    const isSame = JSON.stringify(schema) === JSON.stringify(before?.schema)
    return isSame ? { ...read, schema: before?.schema } : read
  },
  write: (documents) => JSON.stringify(documents),
}

const shapes = new WeakMap<StorePlace, { readonly schema: Schema; readonly shape: ProductShape }>()

/** How documents of a place are made: one object as long as place and schema are the same. */
export function shapeOf(place: StorePlace, schema: Schema): ProductShape {
  const known = shapes.get(place)
  if (known?.schema === schema) return known.shape
  const { scope, slots, language } = place
  const shape = { scope, schema, slots, analyzer: createAnalyzer(language) }
  shapes.set(place, { schema, shape })
  return shape
}
