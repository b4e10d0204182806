import type { ChangeSchemaRequest, StoreSchema } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readValueFile } from '../folder/value-file.ts'
import { count, counted, table } from '../terminal/table.ts'
import { addCommand, addGroup, type Command } from './command.ts'

/** Commands for the schema of a store. */
export function addCommands(program: Command, context: Context): void {
  const schema = addGroup(program, 'schema', 'fields of a store')
  addCommand(schema, { name: 'get', summary: 'show the fields', talksTo: 'store' }).runs(
    async (run) => {
      const answer = await (await run.store('write')).schema()
      run.print(answer, fieldTable(answer) + progressLine(answer.change))
    },
  )
  addCommand(schema, {
    name: 'put <file>',
    alias: 'set',
    summary: 'add, change or replace fields; the file is JSON or YAML with `fields`',
    talksTo: 'store',
    examples: [
      'aisle schema put schema.yaml --store shop',
      'aisle schema put schema.yaml --change --store shop',
    ],
  })
    .option('--replace', 'replace the schema; deletes all documents of the store')
    .option('--change', 'also redefine fields that exist; documents stay and are re-analysed')
    .runs(async (run, file: string, options: { replace?: boolean; change?: boolean }) => {
      const content = (await readValueFile(file, context.stdin)) as Partial<ChangeSchemaRequest>
      const fields = Array.isArray(content) ? content : content?.fields
      if (!Array.isArray(fields)) {
        throw new CommandError('usage', `"${file}" must have a list \`fields\``)
      }
      if (options.replace === true && options.change === true) {
        throw new CommandError('usage', 'Use either --change or --replace')
      }
      const mode = options.replace ? 'replace' : options.change ? 'change' : 'additive'
      const changed = await (await run.store('write')).changeSchema({ mode, fields })
      const { fields_added: added, fields_unchanged: unchanged, warnings = [] } = changed
      const { fields_changed: redefined } = changed
      run.print(
        changed,
        [
          `Added: ${added.join(', ') || 'nothing'}`,
          ...(redefined === undefined ? [] : [`Changed: ${redefined.join(', ') || 'nothing'}`]),
          `Unchanged: ${unchanged.join(', ') || 'nothing'}`,
          ...(changed.job === undefined ? [] : [progressLine(changed.job).trim()]),
          ...warnings.map((one) => `Warning: ${one}`),
          '',
        ].join('\n'),
      )
    })
  addCommand(schema, {
    name: 'cancel',
    summary: 'cancel a change of fields in progress',
    talksTo: 'store',
  }).runs(async (run) => {
    const answer = await (await run.store('write')).cancelSchemaChange()
    run.print(answer, `${answer.message}\n`)
  })
}

function progressLine(change: StoreSchema['change']): string {
  if (change === undefined) return ''
  const { state, fields, documents_done: done, documents_total: total } = change
  const names = fields.map(({ name }) => name).join(', ')
  return state === 'failed'
    ? `The change of ${names} failed; the service retries it at its next start.\n`
    : `Changing ${names}: ${count(done)} of ${counted(total, 'document')} re-analysed.\n`
}

export function fieldTable({ fields }: StoreSchema): string {
  if (fields.length === 0) return 'The store has no schema yet.\n'
  const yes = (role: boolean): string => (role ? 'yes' : '')
  const isAdded = fields.some(({ pattern }) => pattern !== undefined)
  return table(
    ['field', 'type', 'searchable', 'facet', 'sort', ...(isAdded ? ['added by'] : [])],
    fields.map(({ name, type, searchable, facet, sort, pattern = '' }) => [
      name,
      type,
      yes(searchable),
      yes(facet),
      yes(sort),
      ...(isAdded ? [pattern] : []),
    ]),
  )
}
