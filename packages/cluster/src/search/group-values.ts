import { presenceTerm, shortValue, valueTerm } from '../opensearch/product-terms.ts'
import type { CandidateDocument, RankedDocument } from '@aisle/engine/rescoring'
import type { Analyzer, PlannedGroups, Scalar, Schema } from '@aisle/engine'
import { columnOf } from './filter-query.ts'
import type { ProductHit, Query } from './product-searches.ts'
import { allOf, anyOf, noneOf } from './row-query.ts'
import type { SearchPlace } from './search-place.ts'

/** A group as stored in the cluster. */
export interface ClusterGroup {
  /** Unique for each group. */
  readonly identity: string
  /** Values by group field as in its column, numbers as decimal strings; null: no value. */
  readonly values: readonly (string | null)[]
  /** The document that the group was found with. */
  readonly docKey: number
  /** The group has no other document. */
  readonly isApart: boolean
  /** The known documents of the group, in order. */
  readonly documents: RankedDocument[]
}

/** Longer folded values are cut in the index, so they are not looked up. */
const FOLDED_MAX = 1_000

/** Which documents of a store are one group ("Groups" in docs/ranking.md). */
export class GroupValues {
  readonly #place: SearchPlace
  readonly #groups: PlannedGroups
  readonly #schema: Schema
  readonly #analyzer: Analyzer

  constructor(
    groups: PlannedGroups,
    {
      place,
      schema,
      analyzer,
    }: { readonly place: SearchPlace; readonly schema: Schema; readonly analyzer: Analyzer },
  ) {
    this.#place = place
    this.#groups = groups
    this.#schema = schema
    this.#analyzer = analyzer
  }

  /** Returns the group of a document that was read, without documents. */
  ofDocument({ docKey, values }: CandidateDocument): ClusterGroup {
    const own = this.#groups.fields.map((field) => {
      const value = values[field] as Scalar | undefined
      if (value === undefined) return null
      if (typeof value === 'string') return shortValue(value)
      return String(typeof value === 'boolean' ? Number(value) : value)
    })
    return this.#group(own, docKey)
  }

  /** Returns the group of a hit whose `columns` were read, without documents. */
  ofHit({ fields }: ProductHit): ClusterGroup {
    const own = this.#groups.fields.map((field) => {
      const value = fields?.[this.columnName(field)]?.[0]
      return value === undefined ? null : String(value)
    })
    return this.#group(own, Number(fields!['key']![0]))
  }

  /** The columns that `ofHit` needs of a hit. */
  get columns(): object[] {
    const { slots } = this.#place
    const columns = this.#groups.fields.map((field) =>
      // Formatted as a string, a long keeps all its digits.
      columnOf(slots, field).kind === 'long'
        ? { field: this.columnName(field), format: '0' }
        : { field: this.columnName(field) },
    )
    return [...columns, { field: 'key' }]
  }

  /** The cluster's field that has the exact values. */
  columnName(field: number): string {
    const { kind, name, raw } = columnOf(this.#place.slots, field)
    return kind === 'text' ? raw : name
  }

  /** Whether values of a field may have more digits than a double can hold. */
  isWide(field: number): boolean {
    return this.#schema.fields[field]!.type === 'int64'
  }

  /** Matches the documents of a group. */
  queryOf({ values, docKey, isApart }: ClusterGroup): Query {
    if (isApart) return { term: { key: docKey } }
    return allOf(values.flatMap((value, i) => this.#having(this.#groups.fields[i]!, value)))
  }

  /** Matches the documents of several groups; fast for many groups by one field. */
  queryOfAll(groups: readonly ClusterGroup[]): Query {
    const [field, ...others] = this.#groups.fields
    if (others.length > 0) return anyOf(groups.map((group) => this.queryOf(group)))
    const apart = groups.flatMap(({ docKey, isApart }) => (isApart ? [docKey] : []))
    const shared = groups.filter(({ isApart }) => !isApart).map(({ values }) => values[0]!)
    const texts = shared.filter((value): value is string => value !== null)
    return anyOf([
      ...(apart.length === 0 ? [] : [{ terms: { key: apart } }]),
      ...(texts.length === 0 ? [] : [{ terms: { [this.columnName(field!)]: texts } }]),
      ...(texts.length < shared.length ? [this.#lacking(field!)] : []),
    ])
  }

  /** Matches documents that lack a value of some group field. */
  get incomplete(): Query {
    return anyOf(this.#groups.fields.map((field) => this.#lacking(field)))
  }

  #group(values: readonly (string | null)[], docKey: number): ClusterGroup {
    const isApart = this.#groups.missing === 'apart' && values.includes(null)
    const identity = isApart ? `#${docKey}` : JSON.stringify(values)
    return { identity, values, docKey, isApart, documents: [] }
  }

  #having(field: number, value: string | null): Query[] {
    if (value === null) return [this.#lacking(field)]
    const { kind, name, raw } = columnOf(this.#place.slots, field)
    if (kind !== 'text') return [{ term: { [name]: value } }]
    // Comparing raw values document by document is slow, so the folded ones are looked up first.
    const folded = valueTerm(this.#place.scope, this.#analyzer.fold(value))
    const lookedUp = value.length > FOLDED_MAX ? [] : [{ term: { [name]: folded } }]
    return [...lookedUp, { term: { [raw]: value } }]
  }

  #lacking(field: number): Query {
    return noneOf([{ term: { present: presenceTerm(this.#place.scope, field) } }])
  }
}
