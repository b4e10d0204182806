import { hasIds, likelyIdColumn } from '@aisle/import'
import type { IdOptions, Rows } from '@aisle/import'
import { counted } from '../terminal/table.ts'

/**
 * What to do about documents without ids, before anything is sent: each import would make all of
 * them once more. Names the column that is likely meant.
 *
 * @returns `undefined` when they have some
 */
export function missingIds(
  name: string,
  rows: Pick<Rows, 'columns' | 'sample'>,
  options: IdOptions,
): string | undefined {
  const { idColumn, generateIds } = options
  if (generateIds || hasIds(rows, idColumn)) return undefined
  const what =
    rows.columns === undefined
      ? `The rows of "${name}" have no "${idColumn}"`
      : `"${name}" has no column "${idColumn}"`
  const likely = likelyIdColumn(rows)
  const advice =
    likely === undefined
      ? 'Name the column that has a different value in each row: --id-column <column>'
      : `The likeliest is "${likely}", which has a different value in each of the first ${counted(rows.sample.length, 'row')}: --id-column ${JSON.stringify(likely)}`
  return `${what}, so nothing says which document a row is. ${advice}. Or let the service make ids, other ones at each import: --generate-ids`
}
