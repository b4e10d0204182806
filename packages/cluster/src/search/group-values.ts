import { presenceTerm, shortValue, valueTerm } from '../opensearch/product-terms.ts'
import type { CandidateDocument, RankedDocument } from '@aisle/engine/rescoring'
import type { Analyzer, PlannedGroups, Scalar, Schema } from '@aisle/engine'
import { columnOf } from './filter-query.ts'
import type { ProductHit, Query } from './product-searches.ts'
import { allOf, anyOf, noneOf } from './row-query.ts'
import type { SearchPlace } from './search-place.ts'

/** A group as stored in the cluster. */
export interface ClusterGroup {
  /** Different for different groups. */
  readonly identity: string
  /** By group field: the value as its column has it, numbers as decimal text; null: none. */
  readonly values: readonly (string | null)[]
  /** Of the document that the group was met with. */
  readonly docKey: number
  /** It has no other document. */
  readonly isApart: boolean
  /** Those of its documents that are known, in order. */
  readonly documents: RankedDocument[]
}

/** A folded value that is longer is cut in the index: it is not looked for. */
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

  /** The group of a document that was read, without documents. */
  ofDocument({ docKey, values }: CandidateDocument): ClusterGroup {
    const own = this.#groups.fields.map((field) => {
      const value = values[field] as Scalar | undefined
      if (value === undefined) return null
      if (typeof value === 'string') return shortValue(value)
      return String(typeof value === 'boolean' ? Number(value) : value)
    })
    return this.#group(own, docKey)
  }

  /** The group of a document of which `columns` were read, without documents. */
  ofHit({ fields }: ProductHit): ClusterGroup {
    const own = this.#groups.fields.map((field) => {
      const value = fields?.[this.columnName(field)]?.[0]
      return value === undefined ? null : String(value)
    })
    return this.#group(own, Number(fields!['key']![0]))
  }

  /** What the cluster is to tell of a document, for `ofHit`. */
  get columns(): object[] {
    const { slots } = this.#place
    const columns = this.#groups.fields.map((field) =>
      // As text, a long has all its digits.
      columnOf(slots, field).kind === 'long'
        ? { field: this.columnName(field), format: '0' }
        : { field: this.columnName(field) },
    )
    return [...columns, { field: 'key' }]
  }

  /** The field of the cluster with the exact values. */
  columnName(field: number): string {
    const { kind, name, raw } = columnOf(this.#place.slots, field)
    return kind === 'text' ? raw : name
  }

  /** Whether values of a field may have more digits than a double. */
  isWide(field: number): boolean {
    return this.#schema.fields[field]!.type === 'int64'
  }

  /** Documents of a group. */
  queryOf({ values, docKey, isApart }: ClusterGroup): Query {
    if (isApart) return { term: { key: docKey } }
    return allOf(values.flatMap((value, i) => this.#having(this.#groups.fields[i]!, value)))
  }

  /** Documents of some groups; quick for many of them when they are by one field. */
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

  /** Documents that lack a value of some group field. */
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
    // Values as written are compared document by document: the folded ones are looked up first.
    const folded = valueTerm(this.#place.scope, this.#analyzer.fold(value))
    const lookedUp = value.length > FOLDED_MAX ? [] : [{ term: { [name]: folded } }]
    return [...lookedUp, { term: { [raw]: value } }]
  }

  #lacking(field: number): Query {
    return noneOf([{ term: { present: presenceTerm(this.#place.scope, field) } }])
  }
}
