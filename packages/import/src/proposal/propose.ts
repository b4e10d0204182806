import type { SchemaFieldRequest, StoreSchema } from '@aisle/client'
import { isPriceName } from '../cells/column-name.ts'
import type { DateOrder } from '../cells/date-text.ts'
import type { NumberFormat } from '../cells/number-text.ts'
import type { Reading } from '../cells/reading.ts'
import { ID_DEFAULT } from '../id-names.ts'
import type { FileProfile } from '../profile/file-profile.ts'
import type { Fault } from '../profile/value-stats.ts'
import type { FieldType, Question } from './decide-column.ts'
import { ColumnProposer } from './column-proposer.ts'
import { foldObjects } from './objects.ts'
import { targetNames } from './target-names.ts'

/** Fields of a schema, as the service takes them. */
const FIELDS_MAX = 500

export interface ProposeOptions {
  /** Column -> field; an empty one leaves the column out. */
  readonly mapping: ReadonlyMap<string, string>
  readonly idColumn: string
  /** The store's, when it has one. */
  readonly schema?: StoreSchema | undefined
  /** Types that the user chose, by field. */
  readonly types?: ReadonlyMap<string, FieldType> | undefined
  /** By column; '' is for all of them. */
  readonly numbers?: ReadonlyMap<string, NumberFormat> | undefined
  readonly dates?: ReadonlyMap<string, DateOrder> | undefined
  readonly keepHtml?: boolean | undefined
  /** The documents are sent as they are: nothing is converted. */
  readonly asIs?: boolean | undefined
}

/** A column of the file, or a member of JSON rows by its path, and what becomes of it. */
export interface ProposedColumn {
  readonly path: string
  /** Empty: it is left out. */
  readonly target: string
  /** The field that it goes to; undefined when it is left out. */
  readonly field: SchemaFieldRequest | undefined
  /** Levels of categories, a currency: fields that come with it. */
  readonly companions: readonly SchemaFieldRequest[]
  readonly isNew: boolean
  readonly why: string
  readonly reading: Reading
  /** JSON values have to be changed for the field to take them. */
  readonly isConverted: boolean
  /** ISO 4217, of amounts that name theirs. */
  readonly currencies: readonly string[]
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly question: Question | undefined
  /** Its numbers have marks, so that their format matters. */
  readonly hasFormat: boolean
  readonly valueCount: number
  /** Share of the rows without a value, 0..1. */
  readonly emptyShare: number
  readonly examples: readonly string[]
}

/** Which schema a file suggests, and how its values become those of the fields. */
export interface Proposal {
  readonly columns: readonly ProposedColumn[]
  /** Those that the store does not have, objects before what is in them. */
  readonly fields: readonly SchemaFieldRequest[]
  /** Of all columns of a table; of JSON rows those that change their name or are left out. */
  readonly mapping: ReadonlyMap<string, string>
  /** By column, or by the path in JSON rows. */
  readonly readings: ReadonlyMap<string, Reading>
  /** Members beyond the named limits are left out, too. */
  readonly ignoresUnknown: boolean
  /** Members that the schema does not have are left out where they are empty. */
  readonly dropsEmpty: boolean
}

/** The schema that all rows of a file fit, with the names, types and roles that they mostly have. */
export function propose(profile: FileProfile, options: ProposeOptions): Proposal {
  const targets = targetNames(profile, options)
  const proposer = new ColumnProposer(profile, targets, options)
  const proposed = foldObjects(profile, proposer, options)
  const columns = withCurrency(proposed, options)
  const { kept, isCut } = withinLimit(columns, options)
  const mapping = new Map(
    [...targets]
      .map(([column, target]) => {
        const one = kept.find(({ path }) => path === column)
        return [column, one === undefined ? target : one.target] as const
      })
      .filter(([column, target]) => profile.columns !== undefined || column !== target),
  )
  const isTable = profile.columns !== undefined
  return {
    columns: kept,
    fields: kept.flatMap((one) => [
      ...(one.isNew && one.field !== undefined ? [one.field] : []),
      ...one.companions,
    ]),
    mapping,
    readings: new Map(
      kept
        .filter(({ isConverted, reading }) => isConverted || (isTable && !isEmpty(reading)))
        .map(({ path, reading }) => [path, reading]),
    ),
    ignoresUnknown: profile.hasMore || isCut,
    dropsEmpty: profile.emptyPaths.length > 0,
  }
}

function isEmpty(reading: Reading): boolean {
  return Object.keys(reading).length === 0
}

/** The price brings its currency along, unless the file has a column for it. */
function withCurrency(
  columns: readonly ProposedColumn[],
  { schema, asIs }: ProposeOptions,
): ProposedColumn[] {
  const isTaken = columns.some(({ target }) => target === CURRENCY)
  const known = schema?.fields.find(({ name }) => name === CURRENCY)
  const isNew = schema === undefined || schema.fields.length === 0
  const all = [...columns]
  if (asIs === true || isTaken || (!isNew && known?.type !== 'string')) return all
  const prices = columns.filter(
    ({ target, field, currencies }) =>
      field?.type === 'float' && isPriceName(target) && currencies.length > 0,
  )
  const price = prices.find(({ target }) => target === 'price') ?? prices[0]
  if (price === undefined) return all
  const field: SchemaFieldRequest = { name: CURRENCY, type: 'string', facet: true }
  all[all.indexOf(price)] = {
    ...price,
    why: `${price.why}; the currency goes to the field "${CURRENCY}"`,
    reading: { ...price.reading, currencyField: CURRENCY },
    companions: known === undefined ? [...price.companions, field] : price.companions,
  }
  return all
}

const CURRENCY = 'currency'

/** Fields beyond the maximum of a schema are left out. */
function withinLimit(
  columns: readonly ProposedColumn[],
  { schema }: ProposeOptions,
): { kept: ProposedColumn[]; isCut: boolean } {
  let left = FIELDS_MAX - (schema?.fields.length ?? 0)
  let isCut = false
  const cut = new Set<string>()
  const kept = columns.map((one): ProposedColumn => {
    const count = (one.isNew && one.field !== undefined ? 1 : 0) + one.companions.length
    const isInCut = [...cut].some((object) => one.path.startsWith(`${object}.`))
    if (count <= left && !isInCut) {
      left -= count
      return one
    }
    isCut = true
    cut.add(one.path)
    const why = `left out: a schema has at most ${FIELDS_MAX} fields`
    return { ...one, target: '', field: undefined, companions: [], why, question: undefined }
  })
  return { kept, isCut }
}

/** Columns whose fields the store does not have; objects stand for what is in them. */
export function unknownColumns({ columns }: Proposal): ProposedColumn[] {
  const isNew = (one: ProposedColumn): boolean =>
    one.isNew && one.field !== undefined && one.target !== ID_DEFAULT
  const objects = columns.filter((one) => isNew(one) && one.field!.type.startsWith('object'))
  return columns.filter(
    (one) => isNew(one) && !objects.some(({ target }) => one.target.startsWith(`${target}.`)),
  )
}
