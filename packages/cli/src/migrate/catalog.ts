import { openRows, peek, SAMPLE_ROWS_MAX } from '@aisle/import'
import type { LiveSource } from '@aisle/migration'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { CommandError } from '../exit-codes.ts'
import { openSource } from '../import/source.ts'

/** A catalog of another engine, to be read once. */
export interface Catalog {
  /** Foreign JSON by part. */
  readonly parts: Readonly<Record<string, unknown>>
  /** The first documents, as JSON texts. */
  readonly sample: readonly string[]
  /** All documents, the sample included. */
  readonly documents: AsyncIterable<string>
}

export async function liveCatalog(source: LiveSource): Promise<Catalog> {
  const parts = await source.parts()
  const { head, all } = await peek(source.documents(), SAMPLE_ROWS_MAX)
  return { parts, sample: head, documents: all }
}

/**
 * Files that were exported: each part under its name, and the documents.
 *
 * @throws CommandError when a file is missing, or no JSON
 */
export async function exportedCatalog(
  folder: string,
  partNames: readonly string[],
  stdin: Readable,
  signal: AbortSignal,
): Promise<Catalog> {
  const parts: Record<string, unknown> = {}
  for (const name of partNames) {
    const file = join(folder, `${name}.json`)
    if (existsSync(file)) parts[name] = readJson(file)
  }
  const [needed] = partNames
  if (needed !== undefined && parts[needed] === undefined) {
    throw new CommandError('usage', `There is no file "${join(folder, `${needed}.json`)}"`)
  }
  const documents = ['documents.ndjson', 'documents.jsonl', 'documents.json']
    .map((name) => join(folder, name))
    .find((file) => existsSync(file))
  if (documents === undefined) {
    throw new CommandError('usage', `There is no documents.ndjson or documents.json in "${folder}"`)
  }
  const rows = await openRows(openSource(documents, undefined, stdin), { signal })
  const textOf = (row: (typeof rows.sample)[number]): string =>
    row.kind === 'json' ? row.text : ''
  async function* texts(): AsyncGenerator<string> {
    for await (const row of rows.all) yield textOf(row)
  }
  return { parts, sample: rows.sample.map(textOf), documents: texts() }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CommandError('usage', `"${file}" is not JSON: ${(error as Error).message}`)
  }
}
