import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Schema } from '@aisle/engine'
import { useBundledService } from '../tools/lib/bundle-service.ts'
import { dataFolder } from '../tools/lib/data-folder.ts'
import { positive } from '../tools/lib/option-values.ts'
import { Progress } from '../tools/lib/progress.ts'
import { createEngine } from './engine-under-test.ts'
import {
  benchQueriesFolder,
  scaledCatalog,
  scaledSearches,
  type BenchCatalog,
} from './lib/bench-catalog.ts'
import { benchHelp } from './lib/bench-help.ts'
import { demoBenchCatalog, demoQueryLists } from './lib/demo-bench-catalog.ts'
import { clusterLevel } from './lib/cluster-level.ts'
import { clusterLoadLevel } from './lib/cluster-load-level.ts'
import { clusterLoadText } from './lib/cluster-load-text.ts'
import { clusterSizeLevel } from './lib/cluster-size-level.ts'
import { clusterSizeText } from './lib/cluster-size-text.ts'
import { clusterText } from './lib/cluster-text.ts'
import { connectionsLevel, connectionsText } from './lib/connections-level.ts'
import { editsLevel, editsText } from './lib/edits-level.ts'
import { experimentCostLevel, experimentCostText } from './lib/experiment-cost-level.ts'
import { experimentsLevel, experimentsText } from './lib/experiments-level.ts'
import { eventsLevel, eventsText } from './lib/events-level.ts'
import { probeLevel, probeText } from './lib/probe-level.ts'
import { databaseLevel, databaseText } from './lib/database-level.ts'
import { feedLevel, feedText } from './lib/feed-level.ts'
import { firstLevel, firstText } from './lib/first-level.ts'
import { engineLevel, fillEngine, type EngineUnderTest } from './lib/engine-level.ts'
import { httpLevel } from './lib/http-level.ts'
import { describeMachine } from './lib/machine.ts'
import { catalogMix, mixLevel, mixText, queryMix } from './lib/mix-level.ts'
import { neighboursLevel, neighboursText } from './lib/neighbours-level.ts'
import { pathLevel } from './lib/path-level.ts'
import { overloadLevel, overloadText } from './lib/overload-level.ts'
import { queryClasses, readQueryLists } from './lib/query-classes.ts'
import type { QueryClass, QueryLists } from './lib/query-classes.ts'
import { machineText, reportText, type BenchReport } from './lib/report.ts'
import { sourceLevel, sourceText } from './lib/source-level.ts'
import { storesLevel, storesText } from './lib/stores-level.ts'
import { reportsLevel, reportsText } from './lib/reports-level.ts'
import { rankingPartsNamed } from '../tools/relevance/without.ts'
import { schemaChangeLevel, schemaChangeText } from './lib/schema-change-level.ts'
import { sqliteLevel } from './lib/sqlite-level.ts'
import { RIVALS, rivalLevel, type RivalReport } from './rivals/rival.ts'
import { stepsLevel, stepsText, type StepsReport } from './lib/steps-level.ts'
import { vectorsLevel, vectorsText } from './lib/vectors-level.ts'
import { suggestionsLevel, suggestionsText } from './lib/suggestions-level.ts'

const LEVELS = ['engine', 'http', 'sqlite', 'path'] as const
const USUAL_LEVELS = 'engine,http,sqlite'

const { values, positionals } = readOptions({
  allowPositionals: true,
  options: {
    docs: { type: 'string' },
    demo: { type: 'boolean', default: false },
    events: { type: 'string' },
    probes: { type: 'string' },
    suggestions: { type: 'string' },
    levels: { type: 'string', default: USUAL_LEVELS },
    rivals: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    without: { type: 'string', default: '' },
    passes: { type: 'string', default: '5' },
    index: { type: 'string' },
    stores: { type: 'string', default: '2000' },
    idle: { type: 'string', default: '10000' },
    slow: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    threads: { type: 'string', default: '1' },
    'opensearch-url': { type: 'string' },
    queries: { type: 'string', default: '60' },
    data: { type: 'string' },
    json: { type: 'string' },
    markdown: { type: 'string' },
    catalog: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '3' },
    parts: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Slow readers must be held longer than the 30 seconds after which the service closes them. */
const SLOW_PATIENCE_MS = 60_000
/** Many stores have different parts of a catalog of 100,000. */
const STORES_CATALOG = 100_000
const STORES_QUERIES = 10
const STORE_DOCS = '500'
const SIMULATED_EXPERIMENTS = 10_000
const SIMULATED_DAYS = 28
const USUAL_DOCS = '100000'
const REPORTED_EVENTS = '1000000'
/** Classes whose first search computes something that later ones reuse. */
const FIRST_CLASSES = [
  'two_terms',
  'two_terms_filter_facets',
  'two_terms_by_price',
  'term_prefix',
  'letters',
  'misspelt',
  'infix',
  'browse_range',
  'two_terms_default',
]
/** A page for people, and the same as data. */
interface Measured {
  readonly text: string
  readonly report: unknown
}

const INSTEAD: Readonly<Record<string, () => Promise<Measured>>> = {
  steps,
  mix,
  overload,
  neighbours,
  connections,
  cluster,
  'cluster-load': clusterLoad,
  'cluster-size': clusterSize,
  stores,
  first,
  'schema-change': schemaChange,
  edits,
  reports,
  experiments,
  'experiment-cost': experimentCost,
  vectors,
  database: () => made(databaseLevel, databaseText),
  feed: () => made(feedLevel, feedText),
  source: () => made(sourceLevel, sourceText),
}

try {
  await useBundledService()
  if (values.help) console.log(benchHelp(LEVELS, USUAL_LEVELS))
  else {
    const { text, report } = await chosen()()
    console.log(text)
    if (values.json !== undefined) write(values.json, `${JSON.stringify(report, undefined, 2)}\n`)
    if (values.markdown !== undefined) write(values.markdown, text)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function chosen(): () => Promise<Measured> {
  const [what, ...others] = positionals
  if (others.length > 0 || ![...Object.keys(INSTEAD), undefined].includes(what)) {
    throw new Error(
      `Expected ${Object.keys(INSTEAD).join(', ')} or nothing, received "${positionals.join(' ')}"`,
    )
  }
  if (what !== undefined) return INSTEAD[what]!
  if (values.events !== undefined) return events
  if (values.probes !== undefined) return probes
  return values.suggestions === undefined ? main : suggestions
}

async function events(): Promise<Measured> {
  const report = await eventsLevel(positive('events', values.events!))
  return { report, text: eventsText(report) }
}

async function probes(): Promise<Measured> {
  const report = await probeLevel(positive('probes', values.probes!))
  return { report, text: probeText(report) }
}

async function suggestions(): Promise<Measured> {
  const queryCount = positive('suggestions', values.suggestions!)
  const { catalog } = await findCatalog()
  const report = await suggestionsLevel(createEngine, catalog, queryCount)
  return { report, text: suggestionsText(report) }
}

async function main(): Promise<Measured> {
  const levels = values.levels.split(',')
  for (const level of levels) {
    if (!LEVELS.some((known) => known === level)) {
      throw new Error(`There is no level "${level}": expected ${LEVELS.join(', ')}`)
    }
  }
  const machine = describeMachine()
  const { catalog, lists } = await findCatalog()
  const classes = classesOf(lists, [])
  const options = { passes: positive('passes', values.passes) }

  let report: BenchReport = {
    machine,
    catalog: { name: catalog.name, docCount: catalog.docCount },
  }
  if (levels.includes('engine')) {
    const onProgress = progressOf('engine', catalog)
    const create = (schema: Schema): Promise<EngineUnderTest> =>
      createEngine(schema, indexFolder(catalog))
    const without = rankingPartsNamed(values.without)
    const engine = await engineLevel(create, catalog, classes, { ...options, onProgress, without })
    report = { ...report, engine }
    console.error('engine: done')
  }
  if (levels.includes('http')) {
    const onProgress = progressOf('HTTP', catalog)
    const http = await httpLevel(catalog, classes, lists.mix, { ...options, onProgress })
    report = { ...report, http }
    console.error('HTTP: done')
  }
  if (levels.includes('sqlite')) {
    console.error('SQLite FTS5: indexing')
    const sqlite = await sqliteLevel(catalog, classes, options)
    report = { ...report, sqlite }
  }
  if (values.rivals) {
    const rivals: RivalReport[] = []
    for (const rival of RIVALS) {
      console.error(`${rival.title}: indexing`)
      rivals.push(await rivalLevel(rival, catalog, classes, lists.mix, options))
    }
    report = { ...report, rivals }
  }
  if (levels.includes('path')) {
    const onProgress = progressOf('path', catalog)
    report = { ...report, path: await pathLevel(catalog, lists, { onProgress }) }
  }
  return { report, text: reportText(report) }
}

async function overload(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const report = await overloadLevel(catalog, lists.mix, {
    seconds: positive('seconds', values.seconds),
    threads: positive('threads', values.threads),
  })
  return { report, text: overloadText(report) }
}

async function steps(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const classes = classesOf(lists, ['three_terms'])
  const schema: Schema = { fields: catalog.fields }
  const engine = await createEngine(schema, indexFolder(catalog))
  await fillEngine(engine, catalog)
  const reports: StepsReport[] = []
  for (const one of classes) {
    reports.push(await stepsLevel(engine, schema, one, positive('seconds', values.seconds)))
  }
  return { report: reports, text: stepsText(reports) }
}

async function mix(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const folder = indexFolder(catalog)
  const parts = values.catalog
    ? catalogMix(await scaledSearches(catalog.docCount, values.data))
    : queryMix(lists.mix)
  const report = await mixLevel(catalog, parts, {
    seconds: positive('seconds', values.seconds),
    threads: positive('threads', values.threads),
    folder: folder === undefined ? undefined : `${folder}-service`,
    onProgress: progressOf('mix', catalog),
  })
  return { report, text: mixText(report) }
}

async function first(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const classes = classesOf(lists, FIRST_CLASSES)
  const schema: Schema = { fields: catalog.fields }
  const engine = await createEngine(schema, indexFolder(catalog))
  await fillEngine(engine, catalog)
  const reports = await firstLevel(engine, catalog, classes, positive('seconds', values.seconds))
  return { report: reports, text: firstText(reports) }
}

async function schemaChange(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const report = await schemaChangeLevel(catalog, lists.mix, positive('seconds', values.seconds))
  return { report, text: schemaChangeText(report) }
}

async function edits(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const report = await editsLevel(catalog, lists.mix, positive('seconds', values.seconds))
  return { report, text: editsText(report) }
}

async function reports(): Promise<Measured> {
  const report = await reportsLevel(positive('events', values.events ?? REPORTED_EVENTS))
  return { report, text: reportsText(report) }
}

async function experiments(): Promise<Measured> {
  const report = experimentsLevel(SIMULATED_EXPERIMENTS, SIMULATED_DAYS)
  return { report, text: experimentsText(report) }
}

async function experimentCost(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const report = await experimentCostLevel(catalog, lists.mix)
  return { report, text: experimentCostText(report) }
}

async function made<Report extends object>(
  level: (docCount: number) => Promise<Report>,
  text: (report: Report) => string,
): Promise<Measured> {
  const report = await level(positive('docs', values.docs ?? USUAL_DOCS))
  return { text: text(report), report: { machine: describeMachine(), ...report } }
}

async function vectors(): Promise<Measured> {
  const docCount = positive('docs', values.docs ?? USUAL_DOCS)
  const bar = new Progress('vectors', docCount)
  const report = await vectorsLevel(createEngine, docCount, (documents) => bar.advance(documents))
  return { report, text: vectorsText(report) }
}

function progressOf(label: string, { docCount }: BenchCatalog): (documents: number) => void {
  const bar = new Progress(label, docCount)
  return (documents) => bar.advance(documents)
}

/** The classes of `--only`, or the usual ones. */
function classesOf(lists: QueryLists, usual: readonly string[]): QueryClass[] {
  return queryClasses(lists, values.only === '' ? usual : values.only.split(','))
}

/** Like `parseArgs`, but an unknown option ends the run with a message instead of a stack trace. */
function readOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    // Its first sentence; the others explain arguments that begin with a hyphen.
    const [what] = (error as Error).message.split('. ')
    const names = Object.keys(config.options ?? {}).map((name) => `--${name}`)
    console.error(`${what}\nExpected ${names.join(', ')}: see npm run bench -- --help`)
    process.exit(1)
  }
}

/** The folder where the index of a catalog is stored between runs, if any. */
function indexFolder({ docCount }: BenchCatalog): string | undefined {
  return values.index === undefined ? undefined : join(values.index, String(docCount))
}

async function neighbours(): Promise<Measured> {
  const report = await neighboursLevel({
    seconds: positive('seconds', values.seconds),
    threads: positive('threads', values.threads),
  })
  return { report, text: neighboursText(report) }
}

async function connections(): Promise<Measured> {
  const report = await connectionsLevel({
    idle: positive('idle', values.idle),
    slow: positive('slow', values.slow),
    seconds: positive('seconds', values.seconds),
    threads: positive('threads', values.threads),
    patienceMs: SLOW_PATIENCE_MS,
  })
  return { report, text: connectionsText(report) }
}

async function cluster(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const classes = classesOf(lists, [])
  const folder = indexFolder(catalog)
  const machine = describeMachine()
  const report = await clusterLevel(catalog, classes, {
    passes: positive('passes', values.passes),
    queries: positive('queries', values.queries),
    urls: values['opensearch-url']?.split(','),
    folder: folder === undefined ? undefined : `${folder}-service`,
    onProgress: progressOf('cluster', catalog),
  })
  const text = `${machineText(machine, catalog)}\n\n${clusterText(report)}\n`
  return { report: { machine, ...report }, text }
}

async function clusterLoad(): Promise<Measured> {
  const { catalog } = await findCatalog()
  const machine = describeMachine()
  const report = await clusterLoadLevel(catalog, {
    nodes: positive('nodes', values.nodes),
    parts: values.parts,
    onProgress: progressOf('cluster-load', catalog),
  })
  const text = `${machineText(machine, catalog)}\n\n${clusterLoadText(report)}\n`
  return { report: { machine, ...report }, text }
}

async function clusterSize(): Promise<Measured> {
  const { catalog, lists } = await findCatalog()
  const machine = describeMachine()
  const report = await clusterSizeLevel(catalog, classesOf(lists, []), {
    queries: positive('queries', values.queries),
    passes: positive('passes', values.passes),
    onProgress: progressOf('cluster-size', catalog),
  })
  const text = `${machineText(machine, catalog)}\n\n${clusterSizeText(report)}\n`
  return { report: { machine, ...report }, text }
}

async function stores(): Promise<Measured> {
  const { catalog, lists } = await findCatalog(STORES_CATALOG)
  const report = await storesLevel(catalog, lists.mix.slice(0, STORES_QUERIES), {
    stores: positive('stores', values.stores),
    documentsPerStore: positive('docs', values.docs ?? STORE_DOCS),
  })
  return { report, text: storesText(report) }
}

async function findCatalog(
  docCount = positive('docs', values.docs ?? USUAL_DOCS),
): Promise<{ catalog: BenchCatalog; lists: QueryLists }> {
  if (values.demo) return { catalog: demoBenchCatalog(), lists: demoQueryLists() }
  const folder = dataFolder(values.data)
  const lists = readQueryLists(benchQueriesFolder(folder))
  return { catalog: await scaledCatalog(docCount, folder), lists }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
