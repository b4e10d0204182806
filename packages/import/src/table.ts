import { joined } from './bytes.ts'
import { declaredDelimiter, guessDelimiter } from './delimiter.ts'
import { ImportError } from './import-error.ts'
import { peek } from './peek.ts'
import { recordBlocks } from './record-blocks.ts'
import type { SourceRow } from './source-row.ts'
import type { Source } from './source.ts'

export interface Table {
  readonly columns: readonly string[]
  readonly rows: AsyncGenerator<SourceRow>
}

const HEAD_BYTES = 65_536

/**
 * A table with column names in its first line.
 *
 * @param text UTF-8
 * @param delimiter between cells; by default detected from the format and the first lines
 * @throws ImportError if it is not a table, possibly while rows are read
 */
export async function readTable(
  text: AsyncIterable<Uint8Array>,
  { format, name }: Source,
  delimiter: string | undefined,
): Promise<Table> {
  const { head, all } = await peek(text, HEAD_BYTES, ({ length }) => length)
  const lines = new TextDecoder().decode(joined(head))
  const declared = declaredDelimiter(lines)
  const cellEnd = delimiter ?? declared ?? (format === 'tsv' ? '\t' : guessDelimiter(lines))
  const records = recordsOf(all, {
    delimiter: cellEnd,
    // Tab-separated files usually have no quoting; a quote is a plain character.
    quote: format === 'tsv' ? null : '"',
    fromLine: declared === undefined ? 1 : 2,
  })
  const first = await records.next()
  const columns = (first.done === true ? [] : first.value).map((title) => title.trim())
  if (!columns.some((title) => title !== '')) {
    throw new ImportError(
      'unreadable',
      `"${name}" has no columns: their names must be in the first line`,
    )
  }
  const twice = columns.find((title, i) => title !== '' && columns.indexOf(title) !== i)
  if (twice !== undefined) {
    throw new ImportError('unreadable', `"${name}" has two columns "${twice}": rename one of them`)
  }
  return { columns, rows: rowsOf(records, columns) }
}

async function* rowsOf(
  records: AsyncGenerator<string[]>,
  columns: readonly string[],
): AsyncGenerator<SourceRow> {
  for await (const cells of records) {
    if (cells.length === columns.length) {
      const named = columns.map((title, i) => [title, cells[i]!] as const)
      yield { kind: 'table', cells: Object.fromEntries(named) }
    } else {
      const error = `the row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but the table has ${columns.length} ${columns.length === 1 ? 'column' : 'columns'}: is there a missing quote or an extra delimiter?`
      yield { kind: 'ragged', cells, error }
    }
  }
}

/** Parses the records of a text, in blocks of whole records. */
async function* recordsOf(
  text: AsyncIterable<Uint8Array>,
  options: { delimiter: string; quote: '"' | null; fromLine: number },
): AsyncGenerator<string[]> {
  // Loaded on demand, because few commands read tables.
  const { parse } = await import('csv-parse/sync')
  const { delimiter, quote, fromLine } = options
  let skipped = fromLine - 1
  let line = 0
  for await (const block of recordBlocks(text, quote !== null)) {
    const from = skipped + 1
    skipped = 0
    try {
      yield* parse(block, {
        delimiter,
        quote,
        from_line: from,
        skip_empty_lines: true,
        relax_column_count: true,
      }) as unknown as string[][]
    } catch (error) {
      const message = (error as Error).message.replace(
        /\bline (\d+)/,
        (_, inBlock: string) => `line ${line + Number(inBlock)}`,
      )
      throw new ImportError('unreadable', `Cannot read the table: ${message}`, { cause: error })
    }
    line += block.split('\n').length - 1
  }
}
