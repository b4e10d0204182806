import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { REPOSITORY, ServerProcess, ThinClient, type StoreKeys } from '@aisle/testing'
import { dataFolder, unpackedFolder } from './lib/data-folder.ts'
import { Progress, terminal } from './lib/progress.ts'
import {
  absentReport,
  type AbsentReport,
  readAbsentWords,
  readEnglishWords,
  readMisspeltWords,
} from './relevance/absent-words.ts'
import {
  BASELINE_FILE,
  compareWith,
  ndcgByQuery,
  readBaseline,
  writeBaseline,
} from './relevance/baseline.ts'
import { DIFFERENCE_MAX, onOpenSearch, printBackends } from './relevance/both-backends.ts'
import {
  JUDGED_SETS as PUBLISHED_SETS,
  readCatalog,
  readJudgedSet,
  readTypoQueries,
  readTypoWords,
  sample,
} from './relevance/judged-set.ts'
import type { JudgedQuery, JudgedSet } from './relevance/judged-set.ts'
import {
  interpretPhrases,
  interpretPlainQueries,
  printInterpretation,
} from './relevance/interpretation-run.ts'
import { gapText, measureGap, readGapQueries } from './relevance/gap-run.ts'
import {
  LEARNING_HARM_MAX,
  LEARNING_LIMITS,
  learningHarm,
  learningText,
  measureLearning,
  rankQueries,
  sessionsText,
} from './relevance/learning-run.ts'
import { loadSet } from './relevance/load-set.ts'
import { OWN_SETS, readOwnSet } from './relevance/own-set.ts'
import { fts5Ndcg, shownOf } from './relevance/pool.ts'
import { matchedDocuments, printMatched } from './relevance/matching.ts'
import { printAbsent, printSets, printShown, printTypos, printWorst } from './relevance/print.ts'
import type { SetReport } from './relevance/print.ts'
import { partNumberQueries } from './relevance/part-numbers.ts'
import { readQuestions } from './relevance/questions.ts'
import { learnFromSessions } from './relevance/retrotech.ts'
import { differingPages, runQueries } from './relevance/run-queries.ts'
import { measureSemantic, semanticText, type SemanticReport } from './relevance/semantic-run.ts'
import { typoReport } from './relevance/typo-report.ts'
import { RANKING_PARTS } from '../packages/engine/src/query/ranking-parts.ts'
import { rankingPartsNamed, WITHOUT_VARIABLE } from './relevance/without.ts'

/** Sets judged by others, then our own. */
const JUDGED_SETS = [...PUBLISHED_SETS, ...OWN_SETS]
type JudgedSetName = (typeof JUDGED_SETS)[number]

const HELP = `Measures relevance over HTTP on the development halves of the judged sets.

  npm run relevance
  npm run relevance -- --quick --prefix off --param typo_max=1 --worst 0

  --sets A,B        ${JUDGED_SETS.join(',')}
  --quick           1,000 of the homedepot queries, no typo report on the others
  --prefix MODE     prefix_mode of every search: off, fallback or always (the service's default)
  --param KEY=VALUE added to every search; VALUE is JSON or plain text; may be repeated
  --accessories down  the store's setting, for shops of phones and consoles
  --without A,B     leave out parts of the ranking: ${RANKING_PARTS.join(',')}
  --worst N         show the N worst queries of each set with their first hits (20; 0 = none)
  --matching        which judged documents match, in any order
  --no-typos        leave out the typo report
  --interpret       instead: what is read in our phrases, and in homedepot queries if the data is there
  --semantic NAME   instead: words and meaning beside words alone, by that embedder of --embedders-file;
                    --sets demo: our 40 questions too; icecat: part numbers
  --semantic-set KEY=VALUE  another member of the setting, such as weight=.3; may be repeated
  --learning        instead: what simulated visitors teach (docs/learning.md), and the sessions of a shop
                    if the data exists; fails if clicks that mean nothing cost more than ${LEARNING_HARM_MAX}
  --gap FILE        with --semantic: queries of homedepot in other words (gap.py), and synonyms by meaning
  --embedders-file FILE  as of the service (docs/semantic.md)
  --absent          also test real words that each catalog lacks, which must not be corrected
  --save-baseline   store this run in bench/relevance/baseline.json, as the baseline of later ones
  --baseline FILE   compare with another file
  --data FOLDER     folder of the data sets (AISLE_DATASETS; ../shared/data)
  --url URL         a running service instead of a new one (requires --admin-token or AISLE_ADMIN_TOKEN)
  --cluster         also run on a cluster, started for it (Java), and print the difference;
                    fails if it is more than ${DIFFERENCE_MAX}
  --opensearch-url URL  a running OpenSearch instead, with separate indices for this run
  --json            print the figures as JSON as well
`

/** A cluster on a busy machine may refuse a request and accept it a moment later. */
const RETRIES = 5
const QUICK_QUERIES = 1_000
const PAGES_COMPARED = 25

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: JUDGED_SETS.join(',') },
    quick: { type: 'boolean', default: false },
    prefix: { type: 'string' },
    param: { type: 'string', multiple: true, default: [] },
    accessories: { type: 'string', default: 'off' },
    without: { type: 'string', default: '' },
    worst: { type: 'string', default: '20' },
    matching: { type: 'boolean', default: false },
    'no-typos': { type: 'boolean', default: false },
    absent: { type: 'boolean', default: false },
    interpret: { type: 'boolean', default: false },
    semantic: { type: 'string' },
    'semantic-set': { type: 'string', multiple: true, default: [] },
    learning: { type: 'boolean', default: false },
    gap: { type: 'string' },
    'embedders-file': { type: 'string' },
    'save-baseline': { type: 'boolean', default: false },
    baseline: { type: 'string', default: BASELINE_FILE },
    data: { type: 'string' },
    url: { type: 'string' },
    'admin-token': { type: 'string' },
    cluster: { type: 'boolean', default: false },
    'opensearch-url': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

try {
  if (values.help) console.log(HELP)
  else await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<void> {
  if (values.interpret) return interpretationRun()
  const names = values.sets.split(',').map(setName)
  if (values.learning) return learningRun(names)
  if (values.semantic !== undefined) return semanticRun(names, values.semantic)
  const reports = values.url === undefined ? await measureOwn(names) : await measureRunning(names)
  report(reports)
  if (!values.cluster && values['opensearch-url'] === undefined) return
  const onCluster = await onOpenSearch(values['opensearch-url'], (environment) =>
    measureOwn(names, environment),
  )
  if (printBackends(reports, onCluster) > DIFFERENCE_MAX) process.exitCode = 1
}

/** Filters in queries, on a service started for it. */
async function interpretationRun(): Promise<void> {
  await using server = await startServer({})
  using client = new ThinClient(server.url, { adminToken: server.adminToken, retries: RETRIES })
  const phrases = await interpretPhrases(client)
  const hasData = existsSync(dataFolder(values.data))
  const data = hasData ? unpackedFolder(values.data) : undefined
  printInterpretation(
    phrases,
    data === undefined ? undefined : await interpretPlainQueries(client, data),
  )
}

/** Learning from clicks, beside no learning. */
async function learningRun(names: readonly JudgedSetName[]): Promise<void> {
  const folder = (): string => unpackedFolder(values.data)
  await using server = await startServer({})
  using client = new ThinClient(server.url, { adminToken: server.adminToken, retries: RETRIES })
  const sets = []
  for (const name of names) {
    const set = readSet(name, folder)
    const keys = await loadSet(client, name, set)
    const queries = values.quick ? sample(set.queries, QUICK_QUERIES) : set.queries
    sets.push({ name, ranked: await rankQueries(client, keys, queries) })
  }
  if (existsSync(dataFolder(values.data))) {
    const keys = await loadSet(client, 'retrotech', readCatalog(folder(), 'retrotech'))
    console.log(sessionsText(await learnFromSessions(client, keys, folder(), LEARNING_LIMITS)))
  }
  const reports = sets.map(({ name, ranked }) => measureLearning(name, ranked))
  console.log(learningText(reports))
  const harm = learningHarm(reports)
  console.log(`the most that clicks without meaning cost: ${harm.toFixed(4)}`)
  if (harm > LEARNING_HARM_MAX) process.exitCode = 1
}

/** Words and meaning beside words alone. */
async function semanticRun(names: readonly JudgedSetName[], embedder: string): Promise<void> {
  const file = values['embedders-file']
  if (file === undefined) throw new Error('--semantic needs --embedders-file')
  const setting = { ...parametersOf(values['semantic-set']), embedder }
  const folder = (): string => unpackedFolder(values.data)
  await using server = await startServer({ AISLE_EMBEDDERS_FILE: file })
  using client = new ThinClient(server.url, { adminToken: server.adminToken, retries: RETRIES })
  if (values.gap !== undefined) {
    const set = readSet('homedepot', folder)
    const keys = await loadSet(client, 'homedepot', set)
    const queries = readGapQueries(values.gap, set.queries)
    const run = { parameters: searchParameters(), goodGrade: set.goodGrade }
    console.log(gapText(await measureGap(client, keys, queries, setting, run)))
    return
  }
  const reports: SemanticReport[] = []
  for (const name of names) {
    const set = readSet(name, folder)
    const keys = await loadSet(client, name, set)
    const run = { parameters: searchParameters(), goodGrade: set.goodGrade }
    const measure = async (title: string, queries: readonly JudgedQuery[]): Promise<void> => {
      const asked = values.quick ? sample(queries, QUICK_QUERIES) : queries
      const report = await measureSemantic(client, keys, title, asked, setting, run)
      reports.push(report)
      console.log(semanticText([report]))
    }
    await measure(name, set.queries)
    if (name === 'demo') await measure('questions', readQuestions())
    if (name === 'icecat') await measure('part numbers', await partNumberQueries(set))
    if (name === 'homedepot') await measure(`${name} as typed`, asTyped(set, folder()))
  }
  console.log(`\n${semanticText(reports)}`)
}

/** The queries that people mistyped, with their judgments. */
function asTyped(set: JudgedSet, folder: string): JudgedQuery[] {
  const byId = new Map(set.queries.map((query) => [query.id, query]))
  return readTypoQueries(folder).flatMap(({ id, raw }) => {
    const query = byId.get(id)
    return query === undefined ? [] : [{ ...query, text: raw }]
  })
}

/** Runs on a service started for it. */
async function measureOwn(
  names: readonly JudgedSetName[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SetReport[]> {
  await using server = await startServer(environment)
  const { url, adminToken } = server
  using client = new ThinClient(url, { adminToken, retries: RETRIES })
  return await measureSets(client, names, () => undefined)
}

/** Runs on a given service, and removes its stores afterwards. */
async function measureRunning(names: readonly JudgedSetName[]): Promise<SetReport[]> {
  const adminToken = values['admin-token'] ?? process.env['AISLE_ADMIN_TOKEN']
  using client = new ThinClient(values.url ?? '', { adminToken })
  const stores: string[] = []
  try {
    return await measureSets(client, names, (storeId) => stores.push(storeId))
  } finally {
    for (const storeId of stores) await client.deleteStore(storeId)
  }
}

async function measureSets(
  client: ThinClient,
  names: readonly JudgedSetName[],
  onStore: (storeId: string) => void,
): Promise<SetReport[]> {
  const folder = (): string => unpackedFolder(values.data)
  const parameters = searchParameters()
  const reports: SetReport[] = []
  for (const name of names) {
    const set = readSet(name, folder)
    const keys = await loadSet(client, name, set)
    onStore(keys.storeId)
    await client.setSettings(keys, { ranking: { accessories: values.accessories } })
    reports.push(await measureSet(client, keys, name, set, parameters, folder))
  }
  return reports
}

function readSet(name: JudgedSetName, folder: () => string): JudgedSet {
  const own = OWN_SETS.find((known) => known === name)
  if (own !== undefined) return readOwnSet(own, folder)
  const published = PUBLISHED_SETS.find((known) => known === name)
  if (published === undefined) throw new Error(`"${name}" has no judgments`)
  return readJudgedSet(folder(), published)
}

/** A service with the measured parts of the ranking. */
async function startServer(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const parts = rankingPartsNamed(values.without)
  if (parts.length === 0) return ServerProcess.start({ environment })
  const switches = new URL('relevance/without.ts', import.meta.url).href
  return ServerProcess.start({
    environment: {
      ...environment,
      NODE_OPTIONS: `--import=${switches}`,
      [WITHOUT_VARIABLE]: parts.join(','),
    },
  })
}

async function measureSet(
  client: ThinClient,
  keys: StoreKeys,
  name: JudgedSetName,
  set: JudgedSet,
  parameters: Record<string, unknown>,
  folder: () => string,
): Promise<SetReport> {
  const queries =
    values.quick && name === 'homedepot' ? sample(set.queries, QUICK_QUERIES) : set.queries
  const run = { parameters, goodGrade: set.goodGrade }
  const progress = new Progress(`searching ${name}`, queries.length, terminal(), 'queries')
  const results = await runQueries(client, keys, queries, {
    ...run,
    onProgress: (done) => progress.advance(done),
  })
  progress.finish()
  const differing = await differingPages(client, keys, sample(results, PAGES_COMPARED), run)
  if (differing.length > 0) {
    console.log(`WARNING: pages of 10 and of 100 differ for: ${differing.join(' | ')}`)
  }

  const worst = Number(values.worst)
  if (worst > 0) await printWorst(client, keys, name, results, { count: worst, parameters })
  const comparison = compareWith(readBaseline(values.baseline)?.sets[name], results)
  const matched = values.matching
    ? await matchedDocuments(client, keys, { ...set, queries }, parameters)
    : undefined
  const absent = values.absent ? await measureAbsent(client, keys, name, folder) : undefined
  const base = {
    name,
    results,
    ...(comparison === undefined ? {} : { comparison }),
    ...(matched === undefined ? {} : { matched }),
    ...(absent === undefined ? {} : { absent }),
  }
  if (OWN_SETS.some((own) => own === name)) {
    return { ...base, fts5: await fts5Ndcg(set), shown: shownOf(results, set.queries) }
  }
  if (name !== 'homedepot' || values['no-typos']) return base

  const typos = {
    queries: readTypoQueries(folder()),
    words: readTypoWords(folder()),
  }
  const typo = await typoReport(client, keys, set, typos, { parameters, clean: results })
  return { ...base, typo }
}

/** For the demo shop our own words, for other catalogs those of the lists of misspellings. */
async function measureAbsent(
  client: ThinClient,
  keys: StoreKeys,
  name: JudgedSetName,
  folder: () => string,
): Promise<AbsentReport> {
  if (name === 'demo') {
    return await absentReport(client, keys, readAbsentWords(), readMisspeltWords())
  }
  return await absentReport(client, keys, readEnglishWords(folder()), readTypoWords(folder()))
}

function report(reports: readonly SetReport[]): void {
  const baseline = readBaseline(values.baseline)
  console.log('')
  printSets(reports, baseline)
  printShown(reports)
  if (values.matching) {
    printMatched(reports.map(({ name, matched = [] }) => ({ name, matched })))
  }
  printAbsent(reports)
  for (const { typo } of reports) if (typo !== undefined) printTypos(typo)
  if (values.json) {
    const figures = reports.map(({ results: _, ...rest }) => rest)
    console.log(JSON.stringify(figures, undefined, 2))
  }
  if (!values['save-baseline']) return
  const isPlain =
    values.param.length === 0 &&
    values.prefix === undefined &&
    values.without === '' &&
    values.accessories === 'off'
  if (values.quick || !isPlain) {
    throw new Error(
      'A baseline is a full run with default parameters: no --quick, --param, --prefix, --accessories or --without',
    )
  }
  const measured = Object.fromEntries(
    reports.map(({ name, results }) => [name, ndcgByQuery(results)]),
  )
  writeBaseline(values.baseline, {
    commit: git('rev-parse', '--short', 'HEAD'),
    date: new Date().toISOString().slice(0, 10),
    sets: { ...baseline?.sets, ...measured },
  })
  console.log(`Saved as ${values.baseline}`)
}

function searchParameters(): Record<string, unknown> {
  const parameters: Record<string, unknown> = {}
  if (values.prefix !== undefined) parameters['prefix_mode'] = values.prefix
  return { ...parameters, ...parametersOf(values.param) }
}

function parametersOf(pairs: readonly string[]): Record<string, unknown> {
  const parameters: Record<string, unknown> = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new Error(`Expected key=value, received "${pair}"`)
    parameters[pair.slice(0, at)] = jsonOrText(pair.slice(at + 1))
  }
  return parameters
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function setName(text: string): JudgedSetName {
  const name = JUDGED_SETS.find((known) => known === text)
  if (name === undefined) {
    throw new Error(`Unknown judged set "${text}": expected ${JUDGED_SETS.join(', ')}`)
  }
  return name
}

function git(...command: string[]): string {
  return execFileSync('git', command, { cwd: REPOSITORY, encoding: 'utf8' }).trim()
}
