import { guessFields, likelyIdColumn } from '@aisle/import'
import type { GuessedField, Rows, TableOptions } from '@aisle/import'
import type { StoreClient, StoreSchema } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { missingIds } from '../import/missing-ids.ts'
import { counted, table } from '../terminal/table.ts'
import type { Run } from './command.ts'

/**
 * The schema of the store; if it has none and the user agrees, the one that the first rows suggest.
 */
export async function schemaFor(
  run: Run,
  store: StoreClient,
  rows: Rows,
  options: TableOptions,
  mayGuess: boolean,
): Promise<StoreSchema> {
  const schema = await store.schema()
  if (schema.fields.length > 0) return schema
  if (!mayGuess) {
    throw new CommandError(
      'usage',
      'The store has no schema: define one (aisle schema set), or let it be guessed (--guess-schema; --preview shows it)',
    )
  }
  const guessed = guessFields(rows, options)
  if (guessed.length === 0)
    throw new CommandError('usage', 'There is nothing to guess a schema from')
  await store.changeSchema({ fields: guessed.map(({ field }) => field) })
  run.note(`Schema defined:\n${fieldTable(guessed)}`)
  return store.schema()
}

/** What the first rows suggest, and what an import of them lacks. */
export function showPreview(run: Run, name: string, rows: Rows, options: TableOptions): void {
  const guessed = guessFields(rows, options)
  const missing = missingIds(name, rows, options)
  const likely = missing === undefined ? undefined : likelyIdColumn(rows)
  const fields = guessed.map(({ field }) => field)
  run.print(likely === undefined ? { fields } : { fields, id_column: likely }, fieldTable(guessed))
  if (missing !== undefined) run.note(missing)
  const ragged = rows.sample.filter(({ kind }) => kind === 'ragged').length
  if (ragged > 0) {
    const rowText = counted(rows.sample.length, 'row')
    run.note(`Of the first ${rowText} ${ragged} would be refused: too many cells, or too few.`)
  }
}

function fieldTable(guessed: readonly GuessedField[]): string {
  const roles = ({ field }: GuessedField): string =>
    (['searchable', 'facet', 'sort'] as const).filter((role) => field[role]).join(', ')
  return table(
    ['field', 'type', 'roles', 'values', 'for example'],
    guessed.map((one) => [one.field.name, one.field.type, roles(one), one.valueCount, one.example]),
  )
}
