import { linesOf } from '@aisle/client'
import { joined } from './bytes.ts'
import { xmlProducts } from './feeds/feed-rows.ts'
import { declaredEncoding } from './feeds/xml-encoding.ts'
import { unpacked } from './gzip.ts'
import { elementsOf } from './json-elements.ts'
import { peek } from './peek.ts'
import { productsOf, shopSystemOf, type ShopSystem } from './shop-exports.ts'
import type { Source } from './source.ts'
import type { SourceRow } from './source-row.ts'
import { readTable } from './table.ts'
import { asUtf8, guessEncoding, namedEncoding, type TextEncoding } from './text-encoding.ts'

export interface ReadOptions {
  /** Detected if omitted. */
  readonly encoding?: string | undefined
  /** Delimiter of a table; detected if omitted. */
  readonly delimiter?: string | undefined
  readonly onBytes?: (bytes: number) => void
  /** Number of sample rows. */
  readonly sampleRows?: number
  /** Do not combine the rows of a shop system's export into products. */
  readonly asRows?: boolean
  /** Stops reading early. */
  readonly signal?: AbortSignal | undefined
}

/** The rows of a source, readable once. */
export interface Rows {
  readonly encoding: TextEncoding
  /** Columns of a table. */
  readonly columns: readonly string[] | undefined
  /** The shop system whose rows were combined into products. */
  readonly system: ShopSystem | undefined
  /** Sample: the first rows. */
  readonly sample: readonly SourceRow[]
  /** All rows, the sample included. */
  readonly all: AsyncGenerator<SourceRow>
}

/** Sample rows that the schema is proposed from. */
export const SAMPLE_ROWS_MAX = 1_000
const SAMPLE_CHARS_MAX = 50_000_000
const HEAD_BYTES = 65_536

/**
 * Opens a source, and reads its first rows.
 *
 * @throws ImportError if the source cannot be read
 */
export async function openRows(source: Source, options: ReadOptions): Promise<Rows> {
  const { text, encoding } = await openText(source, options)
  const { format } = source
  const isTable = format === 'csv' || format === 'tsv'
  const table = isTable ? await readTable(text, source, options.delimiter) : undefined
  const asRows = options.asRows === true
  const found =
    table !== undefined && isTable
      ? shopSystemOf(table.columns, format)
      : format === 'xml'
        ? 'Google Merchant'
        : undefined
  const system = asRows ? undefined : found
  const plain =
    table?.rows ?? (format === 'xml' ? xmlProducts(text, asRows) : jsonRows(text, source))
  const rows = system === undefined || table === undefined ? plain : productsOf(system, plain)
  const { head, all } = await peek(rows, options.sampleRows ?? SAMPLE_ROWS_MAX, sizeOfRow(options))
  const columns = system === undefined ? table?.columns : undefined
  return { encoding, columns, system, sample: head, all }
}

/** Rows of a sample are kept in memory: few of them, if they are long. */
function sizeOfRow({ sampleRows }: ReadOptions): (row: SourceRow) => number {
  if (sampleRows === undefined) return () => 1
  const charsMax = SAMPLE_CHARS_MAX / sampleRows
  return (row) => {
    const chars = row.kind === 'json' ? row.text.length : Object.values(row.cells).join('').length
    return Math.max(1, chars / charsMax)
  }
}

async function openText(
  source: Source,
  { encoding, onBytes, signal }: ReadOptions,
): Promise<{ text: AsyncIterable<Uint8Array>; encoding: TextEncoding }> {
  const open = (counts: ReadOptions['onBytes']): AsyncGenerator<Uint8Array> =>
    unpacked(source.open(counts, signal))
  if (encoding !== undefined) {
    const named = namedEncoding(encoding)
    return { text: asUtf8(open(onBytes), named), encoding: named }
  }
  const isFile = !Number.isNaN(source.bytes)
  const { head, all } = await peek(open(isFile ? undefined : onBytes), HEAD_BYTES, bytesIn)
  const start = joined(head)
  const declared = source.format === 'xml' ? declaredEncoding(start) : undefined
  if (!isFile) {
    const guessed = declared ?? (await guessEncoding(inOneOf(start), source.name))
    return { text: asUtf8(all, guessed), encoding: guessed }
  }
  // A file is read to its end first: the first special character may be in its last row.
  const guessed = declared ?? (await guessEncoding(all, source.name))
  await all.return(undefined)
  return { text: asUtf8(open(onBytes), guessed), encoding: guessed }
}

function bytesIn({ length }: Uint8Array): number {
  return length
}

async function* inOneOf(text: Uint8Array): AsyncGenerator<Uint8Array> {
  yield text
}

async function* jsonRows(
  text: AsyncIterable<Uint8Array>,
  { format }: Source,
): AsyncGenerator<SourceRow> {
  for await (const row of format === 'json' ? elementsOf(text) : linesOf(text)) {
    yield { kind: 'json', text: row }
  }
}

/**
 * The fields of a JSON entry: of its `data` when it is wrapped. `undefined` if it is not an object.
 */
export function fieldsOfEntry(text: string): Record<string, unknown> | undefined {
  let entry: unknown
  try {
    entry = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const { id: _, action: __, ...flat } = entry as Record<string, unknown>
  const { data } = flat
  const isWrapped = typeof data === 'object' && data !== null && !Array.isArray(data)
  return isWrapped ? (data as Record<string, unknown>) : flat
}
