import type { SchemaFieldRequest } from '@aisle/client'
import { isGroupName, isPriceName } from '../cells/column-name.ts'
import type { Reading } from '../cells/reading.ts'
import { ID_DEFAULT } from '../id-names.ts'
import type { FileProfile } from '../profile/file-profile.ts'
import { ColumnProposer } from './column-proposer.ts'
import { foldObjects } from './objects.ts'
import type { Proposal, ProposedColumn, ProposeOptions } from './proposal.ts'
import { targetNames } from './target-names.ts'

/** Maximum of fields in a schema of the service. */
const FIELDS_MAX = 500

/** Proposes a schema that fits all rows of a file. */
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
    distinct: options.asIs === true ? undefined : groupField(kept, profile),
  }
}

/** The field that variants of one product share, if any share a value. */
function groupField(
  columns: readonly ProposedColumn[],
  { paths }: FileProfile,
): string | undefined {
  const group = columns.find(({ path, target, field, valueCount }) => {
    const isGroup = isGroupName(target) && !target.includes('.') && field?.type === 'string'
    return isGroup && (paths.get(path)?.whole.distinctCount ?? 0) < valueCount
  })
  return group?.target
}

function isEmpty(reading: Reading): boolean {
  return Object.keys(reading).length === 0
}

/** The price of a product adds a currency field, unless the file has a column for it. */
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
      // A price inside of an object belongs to a part of the product.
      field?.type === 'float' &&
      !target.includes('.') &&
      isPriceName(target) &&
      currencies.length > 0,
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

/** Columns whose fields the store lacks; an object represents its members. */
export function unknownColumns({ columns }: Proposal): ProposedColumn[] {
  const isNew = (one: ProposedColumn): boolean =>
    one.isNew && one.field !== undefined && one.target !== ID_DEFAULT
  const objects = columns.filter((one) => isNew(one) && one.field!.type.startsWith('object'))
  return columns.filter(
    (one) => isNew(one) && !objects.some(({ target }) => one.target.startsWith(`${target}.`)),
  )
}
