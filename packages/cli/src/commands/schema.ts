import type { ChangeSchemaRequest, StoreSchema } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readValueFile } from '../folder/value-file.ts'
import { table } from '../terminal/table.ts'
import { addCommand, addGroup, type Command } from './command.ts'

/** Commands for the schema of a store. */
export function addCommands(program: Command, context: Context): void {
  const schema = addGroup(program, 'schema', 'fields of a store')
  addCommand(schema, { name: 'get', summary: 'show the fields', talksTo: 'store' }).runs(
    async (run) => {
      const answer = await (await run.store('write')).schema()
      run.print(answer, fieldTable(answer))
    },
  )
  addCommand(schema, {
    name: 'put <file>',
    alias: 'set',
    summary: 'add fields, or replace all of them; the file is JSON or YAML with `fields`',
    talksTo: 'store',
    examples: ['aisle schema put schema.yaml --store shop'],
  })
    .option('--replace', 'replace the schema; deletes all documents of the store')
    .runs(async (run, file: string, options: { replace?: boolean }) => {
      const content = (await readValueFile(file, context.stdin)) as Partial<ChangeSchemaRequest>
      const fields = Array.isArray(content) ? content : content?.fields
      if (!Array.isArray(fields)) {
        throw new CommandError('usage', `"${file}" must have a list \`fields\``)
      }
      const mode = options.replace === true ? 'replace' : 'additive'
      const changed = await (await run.store('write')).changeSchema({ mode, fields })
      const { fields_added: added, fields_unchanged: unchanged, warnings = [] } = changed
      run.print(
        changed,
        [
          `Added: ${added.join(', ') || 'nothing'}`,
          `Unchanged: ${unchanged.join(', ') || 'nothing'}`,
          ...warnings.map((one) => `Warning: ${one}`),
          '',
        ].join('\n'),
      )
    })
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
