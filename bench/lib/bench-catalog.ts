import { execFileSync, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Field, FieldValue, IndexDocument } from '@aisle/engine'
import { dataFolder, UNPACKED, unpackedFolder } from '../../tools/lib/data-folder.ts'
import { linesOf } from '../../tools/lib/bulk-load.ts'

/** The documents of a benchmark: JSON lines, each with an `id`. */
export interface BenchCatalog {
  readonly name: string
  readonly docCount: number
  readonly fields: readonly Field[]
  lines(): AsyncIterable<string>
}

const roles = { searchable: false, facet: false, sort: false }

/**
 * Name and description are searched, as with the rivals; three facets; and the other columns of a
 * shop.
 */
export const SCALE_FIELDS: readonly Field[] = [
  { ...roles, name: 'name', type: 'string', searchable: true },
  { ...roles, name: 'description', type: 'string', searchable: true },
  { ...roles, name: 'brand', type: 'string', facet: true },
  { ...roles, name: 'category', type: 'string', facet: true },
  { ...roles, name: 'department', type: 'string', facet: true },
  { ...roles, name: 'colors', type: 'string[]', facet: true },
  { ...roles, name: 'vendor', type: 'string' },
  { ...roles, name: 'price', type: 'float', facet: true, sort: true },
  { ...roles, name: 'list_price', type: 'float' },
  { ...roles, name: 'rating', type: 'float', facet: true, sort: true },
  { ...roles, name: 'rating_count', type: 'int32' },
  { ...roles, name: 'popularity', type: 'int32' },
  { ...roles, name: 'in_stock', type: 'bool', facet: true },
  { ...roles, name: 'created_at', type: 'int64', sort: true },
]

/**
 * The scaled catalog of n documents: generated once by `tools/scale.py` of the data sets, from real
 * titles and with realistic vocabulary growth, and stored outside of git.
 */
export async function scaledCatalog(
  docCount: number,
  data: string | undefined,
): Promise<BenchCatalog> {
  const options = ['--n', String(docCount), '--desc', '2']
  const file = await scaled(`scale-${docCount}.jsonl`, data, 'docs', options)
  return {
    name: `scale.py --n ${docCount} --seed 1 --desc 2`,
    docCount,
    fields: SCALE_FIELDS,
    lines: () => linesOf(file),
  }
}

/** Searches of visitors of that catalog, by the same tool: half with facets, a third filtered. */
export async function scaledSearches(
  docCount: number,
  data: string | undefined,
): Promise<readonly object[]> {
  const catalog = join(UNPACKED, `scale-${docCount}.jsonl`)
  const options = ['--n', String(SEARCHES), '--catalog', catalog]
  const file = await scaled(`scale-${docCount}-searches.jsonl`, data, 'queries', options)
  const searches: object[] = []
  for await (const line of linesOf(file)) {
    const { kind: _, ...search } = JSON.parse(line) as { kind: string }
    searches.push(search)
  }
  return searches
}

const SEARCHES = 3_000

/** The folder of the rivals' query lists. */
export function benchQueriesFolder(data: string | undefined): string {
  const folder = join(dataFolder(data), 'bench-queries')
  if (!existsSync(folder)) throw new Error(`There are no benchmark queries in "${folder}" (--data)`)
  return folder
}

/** Runs `scale.py` unless the file exists. @returns its path */
async function scaled(
  name: string,
  data: string | undefined,
  task: 'docs' | 'queries',
  options: readonly string[],
): Promise<string> {
  mkdirSync(UNPACKED, { recursive: true })
  const file = join(UNPACKED, name)
  if (existsSync(file)) return file
  const script = join(dataFolder(data), 'tools', 'scale.py')
  if (!existsSync(script))
    throw new Error(`"${script}" does not exist: it generates the ${task} (--data)`)
  execFileSync('python3', ['--version'], { stdio: 'ignore' })
  console.error(`generating ${name}, once`)
  const child = spawn(
    'python3',
    [script, task, '--data', unpackedFolder(data), '--seed', '1', ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  // Under a temporary name until it is complete.
  const partial = `${file}.partial`
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  await finished(child.stdout.pipe(createWriteStream(partial)))
  const code = await exited
  if (code !== 0) {
    rmSync(partial, { force: true })
    throw new Error(`scale.py ended with code ${code}`)
  }
  renameSync(partial, file)
  return file
}

/** Converts a document for the index. The catalogs of benchmarks are valid and not checked here. */
export function toIndexDocument(
  line: string,
  fields: readonly Field[],
  docKey: number,
): IndexDocument {
  const { id, ...data } = JSON.parse(line) as { id: string } & Record<string, unknown>
  const values = fields.map(({ name, type }) => {
    const value = data[name]
    if (value === undefined || value === null) return undefined
    return type === 'int64' ? BigInt(value as number) : (value as FieldValue)
  })
  return { docKey, id, values }
}
