import type { SchemaField, SchemaFieldRequest, StoreSchema } from '@aisle/contract'
import {
  fieldsOfEntry,
  ID_DEFAULT,
  ImportError,
  likelyIds,
  lineWriter,
  propose,
  unknownColumns,
  type DateOrder,
  type NumberFormat,
  type Proposal,
  type ProposedColumn,
  type RowOptions,
  type SourceRow,
} from '@aisle/import'
import { ownValue } from '../../format/own-value.ts'
import { LIST_SEPARATOR, type OpenedFile } from '../../parts/import-file.ts'

export type ImportAction = 'upsert' | 'insert' | 'update'
export type ReadFile = Pick<OpenedFile, 'profile'> & {
  readonly rows: Pick<OpenedFile['rows'], 'columns' | 'sample'>
}

/** What a person decides about an import; everything else is proposed. */
export interface ImportPlan {
  /** Column -> field; an empty one leaves the column out. */
  readonly targets: Readonly<Record<string, string>>
  /** Empty: the service makes ids. */
  readonly idColumn: string
  /** Of rows whose id is empty. */
  readonly emptyIds: 'refuse' | 'generate'
  readonly action: ImportAction
  /** Changed types and roles of fields that the store does not have yet, by their names. */
  readonly newFields: Readonly<Record<string, SchemaFieldRequest>>
  /** By column. */
  readonly numbers: Readonly<Record<string, NumberFormat>>
  readonly dates: Readonly<Record<string, DateOrder>>
  readonly keepsHtml: boolean
  /** Of fields that the store does not have; undefined: nobody has said. */
  readonly unknown: 'add' | 'ignore' | undefined
}

const PREVIEW_ROWS = 20

export function firstPlan({ profile }: ReadFile): ImportPlan {
  return {
    targets: {},
    idColumn: likelyIds(profile)?.column ?? '',
    emptyIds: 'refuse',
    action: 'upsert',
    newFields: {},
    numbers: {},
    dates: {},
    keepsHtml: false,
    unknown: undefined,
  }
}

/** What a plan makes of a file. */
export interface PlannedImport {
  readonly proposal: Proposal
  /** Columns of the table, or top members of JSON rows. */
  readonly columns: readonly ProposedColumn[]
  /** Columns whose fields the store does not have. */
  readonly unknown: readonly ProposedColumn[]
  /** Fields that the import adds to the store. */
  readonly added: readonly SchemaFieldRequest[]
  /** The field by which searches of a new store will show one of the variants of a product. */
  readonly distinct: string | undefined
  /** Columns that can be read in two ways. */
  readonly open: readonly ProposedColumn[]
}

export function plannedImport(
  { profile }: ReadFile,
  schema: StoreSchema,
  plan: ImportPlan,
): PlannedImport {
  const proposal = propose(profile, {
    mapping: new Map(Object.entries(plan.targets)),
    idColumn: plan.idColumn,
    schema,
    types: new Map(Object.values(plan.newFields).map(({ name, type }) => [name, type])),
    numbers: new Map(Object.entries(plan.numbers)),
    dates: new Map(Object.entries(plan.dates)),
    keepHtml: plan.keepsHtml,
  })
  const isInside = (path: string): boolean =>
    [...profile.objects.keys()].some((object) => path.startsWith(`${object}.`))
  const isNewStore = schema.fields.length === 0
  const isAdded = isNewStore || plan.unknown !== 'ignore'
  const added = isAdded
    ? proposal.fields.map((field) => ownValue(plan.newFields, field.name) ?? field)
    : []
  const group = added.find(({ name }) => name === proposal.distinct)
  const canGroup = isNewStore && (group?.facet === true || group?.sort === true)
  return {
    proposal,
    columns: proposal.columns.filter(({ path }) => !isInside(path) || profile.dotted.has(path)),
    unknown: isNewStore ? [] : unknownColumns(proposal),
    added,
    distinct: canGroup ? proposal.distinct : undefined,
    open: proposal.columns.filter(
      ({ question }) => question !== undefined && question.kind !== 'mixed',
    ),
  }
}

/** The schema as it will be. */
function schemaWith({ fields }: StoreSchema, added: readonly SchemaFieldRequest[]): StoreSchema {
  return {
    fields: [
      ...fields,
      ...added.map((field): SchemaField => ({
        searchable: false,
        facet: false,
        sort: false,
        ...field,
      })),
    ],
  }
}

/** Two columns with the same target field. */
export function doubledTarget({ columns }: PlannedImport): string | undefined {
  const targets = columns.map(({ target }) => target).filter((target) => target !== '')
  return targets.find((target, i) => targets.indexOf(target) !== i)
}

export function rowOptions({ proposal }: PlannedImport, plan: ImportPlan): RowOptions {
  const { idColumn, emptyIds, action, unknown } = plan
  const { mapping, readings, ignoresUnknown, dropsEmpty } = proposal
  return {
    mapping,
    readings,
    dropsEmpty,
    ignoresUnknown: ignoresUnknown || unknown === 'ignore',
    idColumn: idColumn === '' ? ID_DEFAULT : idColumn,
    generateIds: idColumn === '' || emptyIds === 'generate',
    listSeparator: LIST_SEPARATOR,
    action,
  }
}

export interface PreviewRow {
  /** From 1. */
  readonly row: number
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
  /** Why it would be refused. */
  readonly error: string | undefined
}

/** The first rows as they would be sent. */
export function previewRows(
  { rows: { sample } }: ReadFile,
  schema: StoreSchema,
  plan: ImportPlan,
  planned: PlannedImport,
): PreviewRow[] {
  const toLine = lineWriter(schemaWith(schema, planned.added), rowOptions(planned, plan))
  return sample.slice(0, PREVIEW_ROWS).map((source, i): PreviewRow => {
    try {
      const line = toLine(source)
      const { id } = JSON.parse(line) as { id?: string | number }
      const shown = id === undefined ? '' : String(id)
      return { row: i + 1, id: shown, fields: fieldsOfEntry(line) ?? {}, error: undefined }
    } catch (error) {
      const message = error instanceof ImportError ? error.message : 'not a JSON object'
      return { row: i + 1, id: '', fields: cellsOf(source), error: message }
    }
  })
}

function cellsOf(row: SourceRow): Readonly<Record<string, unknown>> {
  if (row.kind === 'json') return fieldsOfEntry(row.text) ?? {}
  return row.kind === 'table' ? row.cells : {}
}
