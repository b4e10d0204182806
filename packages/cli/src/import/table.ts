import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../exit-codes.ts'
import { counted } from '../terminal/table.ts'
import { declaredDelimiter, guessDelimiter } from './delimiter.ts'
import { peek } from './peek.ts'
import type { SourceRow } from './source-row.ts'
import type { Source } from './source.ts'

export interface Table {
  readonly columns: readonly string[]
  readonly rows: AsyncGenerator<SourceRow>
}

const HEAD_BYTES = 65_536

/**
 * A table with its columns in the first line.
 *
 * @param text UTF-8
 * @param delimiter between cells; by the format and the first lines when it is left out
 * @throws CommandError when it is no table, also while its rows are read
 */
export async function readTable(
  text: AsyncIterable<Uint8Array>,
  { format, name }: Source,
  delimiter: string | undefined,
): Promise<Table> {
  const { head, all } = await peek(text, HEAD_BYTES, ({ length }) => length)
  const lines = new TextDecoder().decode(Buffer.concat(head))
  const declared = declaredDelimiter(lines)
  const cellEnd = delimiter ?? declared ?? (format === 'tsv' ? '\t' : guessDelimiter(lines))
  const records = recordsOf(all, {
    delimiter: cellEnd,
    // A tab-separated file has no quotes, as a rule; a quote in it is one.
    quote: format === 'tsv' ? null : '"',
    fromLine: declared === undefined ? 1 : 2,
  })
  const first = await records.next()
  const columns = (first.done === true ? [] : first.value).map((title) => title.trim())
  if (!columns.some((title) => title !== '')) {
    throw new CommandError(
      'usage',
      `"${name}" has no columns: expected their names in its first line`,
    )
  }
  const twice = columns.find((title, i) => title !== '' && columns.indexOf(title) !== i)
  if (twice !== undefined) {
    throw new CommandError('usage', `"${name}" has two columns "${twice}": give one another name`)
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
      const error = `the row has ${counted(cells.length, 'cell')}, the table ${counted(columns.length, 'column')}: is a quote missing, or a delimiter too many?`
      yield { kind: 'ragged', cells, error }
    }
  }
}

async function* recordsOf(
  text: AsyncIterable<Uint8Array>,
  options: { delimiter: string; quote: '"' | null; fromLine: number },
): AsyncGenerator<string[]> {
  // Few commands read tables.
  const { parse } = await import('csv-parse')
  const { delimiter, quote, fromLine } = options
  const parser = parse({
    delimiter,
    quote,
    from_line: fromLine,
    skip_empty_lines: true,
    relax_column_count: true,
  })
  const reading = pipeline(Readable.from(text), parser)
  // The error of the text itself says more than that of the parser, which is destroyed by it.
  const failure = reading.then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    yield* parser as AsyncIterable<string[]>
  } catch (error) {
    const cause = (await failure) ?? error
    if (cause instanceof CommandError || (cause as Error).name === 'AbortError') throw cause
    throw new CommandError('usage', `The table cannot be read: ${(cause as Error).message}`, {
      cause,
    })
  }
}
