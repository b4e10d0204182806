import { unknownColumns, type FileProfile, type Proposal, type ProposeOptions } from '@aisle/import'
import type { StoreClient, StoreSchema } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { proposeWithAnswers } from '../import/column-questions.ts'
import { columnTable, distinctOf } from '../import/preview.ts'
import { printable } from '../terminal/style.ts'
import { counted } from '../terminal/table.ts'
import type { Run } from './command.ts'

export const UNKNOWN_CHOICES = ['ignore', 'add', 'refuse'] as const
export type UnknownChoice = (typeof UNKNOWN_CHOICES)[number]

export interface PlannedImport {
  readonly schema: StoreSchema
  readonly proposal: Proposal
}

interface SchemaChoices {
  /** Define the schema that the file suggests if the store has none. */
  readonly mayGuess: boolean
  /** The action for fields that the schema lacks; asks if undefined. */
  readonly unknown: UnknownChoice | undefined
}

/**
 * Plans how the file maps to the schema of the store. Proposes a schema if the store has none, and
 * decides what to do with fields that an existing one lacks.
 *
 * @throws CommandError that names all of them
 */
export async function planImport(
  run: Run,
  store: StoreClient,
  profile: FileProfile,
  options: ProposeOptions,
  { mayGuess, unknown }: SchemaChoices,
): Promise<PlannedImport> {
  const schema = await store.schema()
  if (schema.fields.length > 0) {
    const inStore = { ...options, schema }
    const proposal = await proposeWithAnswers(run, profile, inStore)
    return await withUnknown(run, store, schema, proposal, unknown)
  }
  if (!mayGuess) {
    throw new CommandError(
      'usage',
      'The store has no schema: define one (aisle schema put), or use the proposed one (--guess-schema; --preview shows it)',
    )
  }
  const proposal = await proposeWithAnswers(run, profile, options)
  if (proposal.fields.length === 0) {
    throw new CommandError('usage', 'The file has no rows to propose a schema from')
  }
  await store.changeSchema({ fields: [...proposal.fields] })
  run.note(`Schema defined:\n${columnTable(proposal.columns)}`)
  if (proposal.distinct !== undefined) {
    await store.changeSettings({ distinct: distinctOf(proposal.distinct) })
    run.note(
      `Setting "distinct" changed: searches show only the best document of each ${printable(proposal.distinct)}`,
    )
  }
  return { schema: await store.schema(), proposal }
}

async function withUnknown(
  run: Run,
  store: StoreClient,
  schema: StoreSchema,
  proposal: Proposal,
  given: UnknownChoice | undefined,
): Promise<PlannedImport> {
  const columns = unknownColumns(proposal)
  const choice = columns.length === 0 ? 'refuse' : (given ?? (await askUnknown(run, columns)))
  if (choice === 'add') {
    await store.changeSchema({ fields: [...proposal.fields] })
    const names = columns.map(({ target }) => target).join(', ')
    run.note(`${counted(columns.length, 'field')} added: ${names}`)
    return { schema: await store.schema(), proposal }
  }
  const ignoresUnknown = proposal.ignoresUnknown || choice === 'ignore'
  return { schema, proposal: { ...proposal, ignoresUnknown } }
}

/** @throws CommandError without a terminal to ask on */
async function askUnknown(
  run: Run,
  columns: ReturnType<typeof unknownColumns>,
): Promise<UnknownChoice> {
  const names = columns.map(({ path, target, field }) => {
    const from = path === target ? '' : ` (column "${printable(path)}")`
    return `  ${printable(target)}: ${field!.type}${from}\n`
  })
  const isOne = columns.length === 1
  const what = `The schema lacks ${counted(columns.length, 'field')} of the file:\n${names.join('')}`
  const them = isOne ? 'it' : 'them'
  const { ask } = run.context
  if (ask === undefined || run.options.json === true) {
    throw new CommandError(
      'usage',
      `${what}Use --unknown add to add ${them} to the schema, --unknown ignore to skip ${them}, --unknown refuse to refuse rows with ${them}, or --map "column=field"`,
    )
  }
  const answer = await ask(
    `${what}  1  add ${them} to the schema (default)\n  2  skip ${them}\n  3  refuse rows with ${them}\n? `,
    { hidden: false },
  )
  return answer.trim() === '2' ? 'ignore' : answer.trim() === '3' ? 'refuse' : 'add'
}
