import type { Import, SourceFile } from './source-files.ts'

/**
 * The allowed imports, as data. CONTRIBUTING.md says the same in words; tools/tidy.test.ts checks
 * it.
 */

/**
 * Files that are not shipped: they may use the test tools and access any layer of their package.
 */
export function isTestFile(path: string): boolean {
  return TEST_FILES.some((pattern) => pattern.test(path))
}

const TEST_FILES = [
  /\.test\.tsx?$/,
  /\.conformance\.ts$/,
  /\/test\//,
  /-fixtures?\.ts$/,
  /-for-test\.ts$/,
  /\/generate(-\w+)*\.ts$/,
  /^packages\/engine\/src\/naive\//,
  /^packages\/testing\//,
]

/** Packages that any test may use. */
const TEST_PACKAGES = ['fast-check']

/** Our package for tests, tools and benchmarks. Shipped code must not import it. */
const TEST_SUPPORT = '@aisle/testing'

/**
 * Inside the engine: a folder may import folders of a lower level, and itself. Document and schema
 * are at the bottom; building and searching the index are at the top; neither of the two tops knows
 * the other.
 */
const ENGINE_LEVELS: Readonly<Record<string, number>> = {
  schema: 0,
  codec: 0,
  places: 0,
  analysis: 1,
  scoring: 1,
  vectors: 1,
  query: 2,
  dictionary: 3,
  postings: 3,
  highlight: 3,
  columns: 4,
  segment: 5,
  storage: 6,
  indexer: 7,
  search: 7,
  rescoring: 7,
}

/** Inside event-log: the folders that a folder may import besides itself. */
const EVENT_LOG_LAYERS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  bursts: [],
  intake: ['model'],
  log: ['model'],
  reports: ['model', 'bursts'],
}

/** Inside suggestions: the folders that a folder may import besides itself. */
const SUGGESTIONS_LAYERS: Readonly<Record<string, readonly string[]>> = {
  text: [],
  recent: [],
  popularity: ['recent'],
  history: ['text', 'recent', 'popularity'],
  index: ['text', 'recent', 'history', 'popularity'],
  profile: ['text', 'history', 'index'],
  match: ['text', 'history', 'index', 'profile'],
  naive: ['text', 'history', 'match'],
}

/** Inside cluster: the folders that a folder may import besides itself. */
const CLUSTER_LAYERS: Readonly<Record<string, readonly string[]>> = {
  opensearch: [],
  control: ['opensearch'],
  access: ['opensearch', 'control'],
  events: ['opensearch', 'control'],
  stores: ['opensearch', 'control'],
  documents: ['opensearch', 'control', 'stores'],
  search: ['opensearch', 'control', 'stores', 'documents'],
  transfer: ['opensearch', 'control', 'access', 'events', 'stores', 'documents'],
  node: ['opensearch', 'control', 'access', 'events', 'stores', 'documents', 'search', 'transfer'],
}

/**
 * Entries of our packages that may be imported separately, by code that must start quickly. `check`
 * is separate because it loads the schema compiler, which only serving threads need.
 */
const OWN_SUBPATHS = [
  '@aisle/client/search',
  '@aisle/engine/rescoring',
  '@aisle/contract/check',
  '@aisle/contract/errors',
  '@aisle/contract/is-object',
  '@aisle/contract/collection-names',
  '@aisle/contract/limits',
  '@aisle/contract/merchandising-limits',
  '@aisle/contract/personalize-limits',
  '@aisle/contract/semantic-limits',
  '@aisle/contract/source-limits',
]

/**
 * Further entries that only tests may import: the oracle of the index, generators of test cases,
 * and the random numbers of the demo.
 */
const TEST_SUBPATHS = [
  '@aisle/cluster/test',
  '@aisle/engine/naive',
  '@aisle/engine/naive/agreement',
  '@aisle/engine/naive/generate',
  '@aisle/engine/naive/naive-statistics',
  '@aisle/engine/naive/generate-filter',
  '@aisle/engine/naive/generate-languages',
  '@aisle/engine/naive/generate-plan',
  '@aisle/engine/naive/generate-vectors',
  '@aisle/server/random',
  '@aisle/server/test',
  '@aisle/sources/test',
]

/**
 * What a node of a cluster shares with one machine. Only `@aisle/cluster` may import it: a second
 * way to put the service together, which is no reason to open the server to everybody.
 */
const CLUSTER_SUBPATHS = [
  '@aisle/server/domain',
  '@aisle/server/make-suggestions',
  '@aisle/server/parts',
  '@aisle/server/ports',
]

/** Loaded with `--opensearch-url` only, by this file, and never at its start. */
const CLUSTER = '@aisle/cluster'
const CLUSTER_LOADER = 'packages/server/src/load-cluster.ts'

/** Packages that run only in Node. */
const NODE_PACKAGES = ['server', 'event-log', 'cluster', 'cli', 'sources']

/** Engine folders that may use `node:` built-ins. */
const ENGINE_NODE_FOLDERS = ['storage']

/** Inside the server: the folders that a folder may import besides itself. */
const SERVER_LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: ['domain'],
  services: ['domain', 'ports'],
  http: ['domain', 'ports', 'services'],
  adapters: ['domain', 'ports'],
  demo: [],
}

/**
 * Inside folders with subfolders by subject: a line may import the lines above it, and each name
 * itself. A name is a subfolder or a file beside them.
 */
const FOLDER_ORDERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'packages/engine/src/search': [
    ['deadline', 'view'],
    ['words'],
    ['filters'],
    ['facets'],
    ['match', 'model'],
    ['score'],
    ['page'],
    ['strategy'],
    ['browse', 'completion', 'groups'],
    ['one-search'],
    ['searcher'],
  ],
  'packages/server/src/domain': [
    ['json', 'values', 'words', 'access'],
    ['documents', 'query', 'turns'],
    ['expressions'],
    ['store'],
    ['rules'],
    ['plan'],
    ['suggestions'],
    ['interpretation'],
    ['taste'],
  ],
  'packages/server/src/ports': [
    ['awaitable', 'access', 'host'],
    ['catalog'],
    ['search', 'events'],
    ['suggestions'],
  ],
  'packages/server/src/services': [
    ['service-ports', 'nested-error', 'parameter-warnings'],
    ['open-view', 'store-collections', 'access', 'events', 'jobs'],
    ['store', 'documents'],
    ['search'],
    ['suggestions', 'edits'],
    ['restores', 'sources'],
  ],
  'packages/dashboard/src': [
    ['state', 'api', 'format'],
    ['ui'],
    ['session'],
    ['parts'],
    ['shell'],
    ['screens'],
    ['main'],
  ],
}

/**
 * Server files that compose the parts: the process entry, `app.ts`, the files in `threads/` (each
 * thread has an entry), in `offline/` (work on a folder without a running service) and in
 * `exports/` (the parts of a cluster node). Only the process and thread entries may import
 * adapters.
 */
function isServerComposition(path: string): boolean {
  return /^packages\/server\/(entry|src)\/([\w-]+\.ts|(threads|offline|exports)\/.*)$/.test(path)
}

/** @returns the violation of an import, or `undefined` */
export function importProblem(
  file: SourceFile,
  imported: Import,
  dependenciesOf: (packageName: string) => readonly string[],
): string | undefined {
  const [folder, packageName] = file.path.split('/')
  const { specifier, target } = imported
  if (specifier.startsWith('.') && !/\.(tsx?|json|css)$/.test(specifier)) {
    return `"${specifier}" must name the file, with its .ts`
  }
  if (folder !== 'packages' || packageName === undefined) return undefined
  // Package builders are tools.
  if (file.path.startsWith(`packages/${packageName}/build/`)) return undefined
  if (target === undefined) return packageProblem(file.path, packageName, imported, dependenciesOf)

  const home = `packages/${packageName}/src/`
  if (!target.startsWith(home)) return `"${specifier}" leaves the package: import it by its name`
  if (target === `${home}index.ts` && !isTestFile(file.path)) {
    return `index.ts is for outsiders: import the file itself`
  }
  const from = file.path.slice(home.length)
  const to = target.slice(home.length)
  if (isTestFile(file.path)) return undefined
  if (isTestFile(target)) return `"${specifier}" is a test file`
  const disorder = orderProblem(file.path, target)
  if (disorder !== undefined) return disorder
  if (packageName === 'engine') return engineProblem(from, to)
  if (packageName === 'event-log')
    return layersProblem('EVENT_LOG_LAYERS', EVENT_LOG_LAYERS, from, to)
  if (packageName === 'suggestions') {
    return layersProblem('SUGGESTIONS_LAYERS', SUGGESTIONS_LAYERS, from, to)
  }
  if (packageName === 'cluster') return layersProblem('CLUSTER_LAYERS', CLUSTER_LAYERS, from, to)
  if (packageName === 'dashboard') return dashboardProblem(from, to)
  if (packageName === 'server') return serverProblem(file.path, from, to)
  return undefined
}

function orderProblem(path: string, target: string): string | undefined {
  for (const [folder, lines] of Object.entries(FOLDER_ORDERS)) {
    if (!path.startsWith(`${folder}/`) || !target.startsWith(`${folder}/`)) continue
    const [from, to] = [path, target].map((one) => folderOf(one.slice(folder.length + 1)))
    const [fromLine, toLine] = [from, to].map((name) =>
      lines.findIndex((line) => line.includes(name!)),
    )
    if (fromLine === -1) return `"${from}" has no place in ${folder}: name it in FOLDER_ORDERS`
    if (toLine === -1) return `"${to}" has no place in ${folder}: name it in FOLDER_ORDERS`
    if (from !== to && toLine! >= fromLine!) return `in ${folder}, ${from} must not import ${to}`
  }
  return undefined
}

function packageProblem(
  path: string,
  packageName: string,
  { specifier, isDynamic }: Import,
  dependenciesOf: (packageName: string) => readonly string[],
): string | undefined {
  const test = isTestFile(path)
  if (specifier.startsWith('node:')) {
    if (test || NODE_PACKAGES.includes(packageName)) return undefined
    const engineFolder = path.split('/')[3] ?? ''
    if (packageName === 'engine' && ENGINE_NODE_FOLDERS.includes(engineFolder)) return undefined
    return `"${specifier}": ${packageName} must run without Node's built-ins here`
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (test && TEST_PACKAGES.includes(name)) return undefined
  if (name === TEST_SUPPORT) return test ? undefined : `"${name}" is for tests`
  if (name === CLUSTER && !test && !(path === CLUSTER_LOADER && isDynamic)) {
    return `"${name}" is loaded by ${CLUSTER_LOADER} alone, with import()`
  }
  if (!dependenciesOf(packageName).includes(name)) {
    return `"${name}" is not a dependency of ${packageName}`
  }
  const subpaths = [
    ...OWN_SUBPATHS,
    ...(packageName === 'cluster' ? CLUSTER_SUBPATHS : []),
    ...(test ? TEST_SUBPATHS : []),
  ]
  if (name.startsWith('@aisle/') && specifier !== name && !subpaths.includes(specifier))
    return `"${specifier}" reaches into ${name}`
  return undefined
}

function engineProblem(from: string, to: string): string | undefined {
  if (from === 'index.ts') return undefined
  const fromFolder = folderOf(from)
  const toFolder = folderOf(to)
  const fromLevel = ENGINE_LEVELS[from] ?? ENGINE_LEVELS[fromFolder]
  const toLevel = ENGINE_LEVELS[to] ?? ENGINE_LEVELS[toFolder]
  if (fromLevel === undefined)
    return `engine folder "${fromFolder}" has no level: name it in ENGINE_LEVELS`
  if (toLevel === undefined)
    return `engine folder "${toFolder}" has no level: name it in ENGINE_LEVELS`
  if (fromFolder === toFolder || toLevel < fromLevel) return undefined
  return `${fromFolder} must not import ${toFolder}`
}

function layersProblem(
  name: string,
  layers: Readonly<Record<string, readonly string[]>>,
  from: string,
  to: string,
): string | undefined {
  if (from === 'index.ts') return undefined
  const [fromFolder, toFolder] = [folderOf(from), folderOf(to)]
  const allowed = layers[fromFolder]
  if (allowed === undefined) return `folder "${fromFolder}" has no layer: name it in ${name}`
  if (fromFolder === toFolder || allowed.includes(toFolder)) return undefined
  return `${fromFolder} must not import ${toFolder}`
}

function serverProblem(path: string, from: string, to: string): string | undefined {
  const fromFolder = folderOf(from)
  const toFolder = folderOf(to)
  if (toFolder === 'adapters') {
    if (isServerComposition(path) && !/^(app|config[\w-]*)\.ts$/.test(from)) return undefined
    const technology = to.split('/')[1]
    const isOwn = technology === from.split('/')[1] || technology === 'message-port'
    if (fromFolder === 'adapters' && isOwn) return undefined
    return `only main.ts and thread entries choose adapters`
  }
  if (isServerComposition(path)) return undefined
  const allowed = SERVER_LAYERS[fromFolder]
  if (allowed === undefined)
    return `server folder "${fromFolder}" has no layer: name it in SERVER_LAYERS`
  if (fromFolder === toFolder || allowed.includes(toFolder)) return undefined
  return `${fromFolder} must not import ${toFolder}`
}

/** A screen can be taken out without another noticing; what several need is in `parts`. */
function dashboardProblem(from: string, to: string): string | undefined {
  const screen = /^screens\/([\w-]+)\//.exec(to)?.[1]
  if (screen === undefined || from === 'screens/routes.ts') return undefined
  if (from.startsWith(`screens/${screen}/`)) return undefined
  return `a screen is imported by screens/routes.ts alone: what others need goes to parts/`
}

/** First folder of a path inside `src`, or the file's name without `.ts`. */
function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : path.replace(/\.tsx?$/, '')
}
