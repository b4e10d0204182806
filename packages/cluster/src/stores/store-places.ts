import { createAnalyzer, type Schema } from '@aisle/engine'
import { redefinedSchema, type SpaceBook } from '@aisle/server/domain'
import type { DeclaredField } from '@aisle/server/ports'
import type { ProductPlace } from '../opensearch/product-requests.ts'
import type { ProductShape } from '../opensearch/product-shape.ts'
import type { SlotMap } from '../opensearch/field-slots.ts'
import type { DocumentKind } from '../control/known-documents.ts'
import { isOutdated, type TermRules } from './term-rules.ts'

/** A place of the documents of a store, and how their terms were derived. */
export interface StorePlace extends ProductPlace {
  readonly slots: SlotMap
  /** Language of the analyzer, as a BCP 47 tag. */
  readonly language: string
  /** Absent if nodes of several versions may have derived the terms. */
  readonly rules?: TermRules | undefined
}

/**
 * Present while the documents are being rewritten in another place, which then takes over.
 * Meanwhile each write goes to both.
 */
export interface StoreMove {
  /** Its scope names the attempt: one without progress is replaced by another one. */
  readonly to: StorePlace
  readonly documentsDone: number
  readonly documentsTotal: number
  /** The fields that take over with it; absent: the schema stays. */
  readonly fields?: readonly DeclaredField[] | undefined
}

/** Fields that are being redefined. From the beginning, new documents must fit them too. */
export interface Redefinition {
  /** Names the request that began it. */
  readonly id: string
  readonly fields: readonly DeclaredField[]
  /** Whether all older documents fit: then a move brings it. */
  readonly isChecked: boolean
  /** When it began, in milliseconds since 1970. */
  readonly atMs: number
}

/** The vectors that nodes make of the documents, in the spaces of their schema. */
export interface StoreEmbedding extends SpaceBook {
  /** Why nothing is made at the moment. */
  readonly problem?: string | undefined
}

/** A vacated place. Its documents are purged after some time. */
export interface LeftPlace extends ProductPlace {
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/**
 * The state of the documents of a store. It outlives the store, because it lists the places to
 * purge, and the next store under the same id begins with it.
 */
export interface StoreDocuments {
  /**
   * Life of the store that the other members belong to. If the store has another life, all of them
   * but `left` are obsolete.
   */
  readonly life: string
  readonly schema: Schema | undefined
  /** Absent before the first schema. */
  readonly place: StorePlace | undefined
  /** Language of the target analyzer; `place` has it, or a move brings it. */
  readonly language: string
  readonly move?: StoreMove | undefined
  readonly redefinition?: Redefinition | undefined
  /** The fields that the last redefinition changed, as they were. */
  readonly previousFields?: readonly DeclaredField[] | undefined
  /** Absent: it never had any. */
  readonly embedding?: StoreEmbedding | undefined
  readonly left: readonly LeftPlace[]
  /** Time of the last schema change or clear, in milliseconds since 1970; 0: none yet. */
  readonly changedMs: number
}

/** The schema of the place that a store moves to. */
export function movedSchema({ schema, move }: StoreDocuments): Schema | undefined {
  return schema && redefinedSchema(schema, move?.fields)
}

export const STORE_DOCUMENTS: DocumentKind<StoreDocuments> = {
  kind: 'documents',
  change: 'change the documents of the store',
  read: (json, before) => {
    const read = JSON.parse(json) as StoreDocuments
    const { schema } = read
    // Lookups by its schema stay cached.
    const isSame = JSON.stringify(schema) === JSON.stringify(before?.schema)
    return isSame ? { ...read, schema: before?.schema } : read
  },
  write: (documents) => JSON.stringify(documents),
}

const shapes = new WeakMap<StorePlace, { readonly schema: Schema; readonly shape: ProductShape }>()

/** How documents of a place are built: one object as long as place and schema are the same. */
export function shapeOf(place: StorePlace, schema: Schema): ProductShape {
  const known = shapes.get(place)
  if (known?.schema === schema) return known.shape
  const { scope, slots, language } = place
  const analyzer = createAnalyzer(language)
  const shape = {
    scope,
    schema,
    slots,
    analyzer,
    isOutdated: isOutdated(place.rules, language, schema),
  }
  shapes.set(place, { schema, shape })
  return shape
}
