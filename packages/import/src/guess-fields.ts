import { SchemaGuess } from './guess-schema.ts'
import type { GuessedField } from './guess-schema.ts'
import { fieldsOfEntry } from './rows.ts'
import type { Rows } from './rows.ts'
import { targetsOf } from './table-rows.ts'
import type { TableOptions } from './table-rows.ts'

/** The fields that the first rows suggest, under the names that their columns go to. */
export function guessFields(
  { columns, sample }: Pick<Rows, 'columns' | 'sample'>,
  options: TableOptions,
): GuessedField[] {
  const schema = new SchemaGuess()
  const { listSeparator } = options
  const targets = columns === undefined ? [] : [...targetsOf(columns, options, undefined)]
  for (const row of sample) {
    if (row.kind === 'json') {
      schema.add(fieldsOfEntry(row.text) ?? {}, { spelled: false })
    } else if (row.kind === 'table') {
      const cells = targets.map(([column, name]) => [name, (row.cells[column] ?? '').trim()])
      schema.add(Object.fromEntries(cells) as Record<string, string>, {
        spelled: true,
        listSeparator,
      })
    }
  }
  return schema.fields()
}
