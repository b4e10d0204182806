import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { linesOf } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { elementsOf } from './json-elements.ts'
import type { Source } from './source.ts'

/** One record of a source. */
export type SourceRow =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'table'; readonly cells: Readonly<Record<string, string>> }

/**
 * The rows of a source, one at a time.
 *
 * @throws CommandError when the source as a whole cannot be read
 */
export async function* rowsOf(
  source: Source,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<SourceRow> {
  const stream = source.open(onBytes)
  if (source.format === 'json') {
    for await (const text of elementsOf(stream)) yield { kind: 'json', text }
  } else if (source.format === 'ndjson') {
    for await (const text of linesOf(stream)) yield { kind: 'json', text }
  } else {
    yield* tableRows(stream, source.format === 'tsv' ? '\t' : ',')
  }
}

async function* tableRows(
  stream: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<SourceRow> {
  const { parse } = await import('csv-parse')
  const parser = parse({
    delimiter,
    bom: true,
    // A tab-separated file has no quotes, as a rule; a quote in it is one.
    quote: delimiter === '\t' ? null : '"',
    columns: (head: string[]) => head.map((title) => title.trim()),
    skip_empty_lines: true,
    relax_column_count: true,
  })
  const reading = pipeline(Readable.from(stream), parser)
  // Its error comes out of the iteration below as well.
  reading.catch(() => undefined)
  try {
    for await (const cells of parser as AsyncIterable<Record<string, string>>) {
      yield { kind: 'table', cells }
    }
  } catch (error) {
    throw new CommandError('usage', `The table cannot be read: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** The fields of a JSON entry: of its `data` when it is wrapped. `undefined` when it is no object. */
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
