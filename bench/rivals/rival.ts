import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { newestRelease } from '../../tools/cluster/distribution.ts'
import { UNPACKED } from '../../tools/lib/data-folder.ts'
import type { BenchCatalog } from '../lib/bench-catalog.ts'
import { BENCH_FACETS } from '../lib/query-classes.ts'
import type { BenchQuery, QueryClass, QueryClassName } from '../lib/query-classes.ts'
import { latencyOfPasses, type Latency, type MeasureOptions } from '../lib/measure.ts'

/** The input of a rival's process, as JSON in the file that its first argument names. */
export interface RivalSpec {
  /** Searched fields, and facet fields. The range is over `price`. */
  readonly texts: readonly string[]
  readonly facets: readonly string[]
  readonly classes: readonly {
    readonly name: QueryClassName
    readonly queries: readonly BenchQuery[]
  }[]
  /** Real queries, for requests per second of a server. */
  readonly mix: readonly string[]
  readonly warmupPasses: number
  readonly passes: number
  readonly limitMs: number
}

/** Its output after it has read all documents from standard input and run all queries. */
export interface RivalAnswer {
  /** With what only the process knows: the version in use. */
  readonly title?: string
  /** Per second of processor time, including JSON parsing. */
  readonly docsPerSecond: number
  readonly bytesPerDocument?: number
  /** Of a server: of the mix, at 16 connections. */
  readonly requestsPerSecond?: number
  /** Milliseconds: the best of each query, and of every single run. */
  readonly classes: Readonly<
    Partial<Record<QueryClassName, { readonly best: number[]; readonly all: number[] }>>
  >
}

/** A rival measured in this run, or why it was not. */
export interface RivalReport {
  readonly title: string
  readonly overHttp?: boolean
  readonly failed?: string
  readonly docsPerSecond?: number
  readonly bytesPerDocument?: number
  readonly requestsPerSecond?: number
  readonly classes: Partial<Record<QueryClassName, Latency>>
}

/** A library that can be installed here, each in a separate process. */
export interface Rival {
  readonly name: string
  /** With its version: exactly this version is installed. */
  readonly title: string
  /** Queried over HTTP, and compared with Aisle over HTTP if that was measured. */
  readonly overHttp?: boolean
  /** More documents would take hours or more memory than the machine has. */
  readonly docsMax: number
  readonly classes: readonly QueryClassName[]
  /** Installs it once, outside of git. Returns the command that runs it. */
  readonly install: () => readonly [command: string, ...options: string[]]
}

const FOLDER = join(UNPACKED, 'rivals')
const HERE = import.meta.dirname
const WORDS = ['two_terms', 'three_terms', 'two_terms_and'] as const
const COUNTED = ['two_terms_filter_facets', 'two_terms_by_price', 'browse', 'browse_range'] as const

export const RIVALS: readonly Rival[] = [
  {
    name: 'tantivy',
    title: 'Tantivy 0.27.0, in process',
    docsMax: 20_000_000,
    classes: [...WORDS, ...COUNTED, 'term_prefix', 'misspelt'],
    install: () => [python('tantivy==0.27.0'), join(HERE, 'tantivy_rival.py')],
  },
  {
    name: 'opensearch',
    title: 'OpenSearch, over HTTP',
    overHttp: true,
    docsMax: 2_000_000,
    classes: [...WORDS, ...COUNTED, 'term_prefix', 'misspelt'],
    install: () => [process.execPath, join(HERE, 'opensearch-rival.ts'), newestRelease()],
  },
]

/** Timeout of a rival in milliseconds: one that hangs must not block the others. */
const RIVAL_TIMEOUT_MS = 30 * 60_000

/** Installs, indexes and queries a rival. Any failure is a row of the report, not an error. */
export async function rivalLevel(
  rival: Rival,
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  mix: readonly string[],
  options: MeasureOptions = {},
): Promise<RivalReport> {
  const { title, overHttp = false } = rival
  if (catalog.docCount > rival.docsMax) {
    return { title, failed: `not run above ${rival.docsMax} documents`, classes: {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'aisle-rival-'))
  try {
    const [command, ...commandOptions] = rival.install()
    const specFile = join(folder, 'spec.json')
    writeFileSync(specFile, JSON.stringify({ ...specOf(rival, catalog, classes, options), mix }))
    const child = spawn(command, [...commandOptions, specFile], {
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: RIVAL_TIMEOUT_MS,
    })
    const exited = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    const printed = text(child.stdout)
    // A process that exits early explains why on standard error, and closes this pipe.
    await pipeline(linesWithEnd(catalog.lines()), child.stdin).catch(() => undefined)
    const code = await exited
    if (code !== 0) return { title, failed: `ended with code ${code}`, classes: {} }
    const { classes: measured, ...figures } = JSON.parse(await printed) as RivalAnswer
    const latencies: RivalReport['classes'] = {}
    for (const { name } of classes) {
      const runs = measured[name]
      if (runs !== undefined) latencies[name] = latencyOfPasses(runs.best, runs.all)
    }
    return { title, overHttp, ...figures, classes: latencies }
  } catch (error) {
    return { title, failed: error instanceof Error ? error.message : String(error), classes: {} }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function specOf(
  rival: Rival,
  catalog: BenchCatalog,
  classes: readonly QueryClass[],
  { warmupPasses = 1, passes = 5, limitMs = 60_000 }: MeasureOptions,
): Omit<RivalSpec, 'mix'> {
  return {
    texts: catalog.fields.filter(({ searchable }) => searchable).map(({ name }) => name),
    facets: BENCH_FACETS,
    classes: classes
      .filter(({ name }) => rival.classes.includes(name))
      .map(({ name, queries }) => ({ name, queries })),
    warmupPasses,
    passes,
    limitMs,
  }
}

async function* linesWithEnd(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`
}

/** The interpreter of a virtual environment with the package. */
function python(requirement: string): string {
  const folder = join(FOLDER, 'python')
  const interpreter = join(folder, 'bin', 'python')
  const installed = join(folder, `${requirement}.installed`)
  if (!existsSync(installed)) {
    mkdirSync(FOLDER, { recursive: true })
    run('python3', '-m', 'venv', folder)
    run(interpreter, '-m', 'pip', 'install', '--quiet', requirement)
    writeFileSync(installed, '')
  }
  return interpreter
}

function run(command: string, ...options: string[]): void {
  execFileSync(command, options, { stdio: ['ignore', 'ignore', 'inherit'] })
}
