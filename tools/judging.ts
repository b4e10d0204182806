import { parseArgs } from 'node:util'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { unpackedFolder } from './lib/data-folder.ts'
import { fieldText } from './lib/fts5.ts'
import { agreement, drawSecondPass, unequalTwins } from './relevance/consistency.ts'
import { loadSet } from './relevance/load-set.ts'
import { OWN_SETS, readOwnSet, readSecondPass } from './relevance/own-set.ts'
import type { OwnQuery, OwnSet, OwnSetName } from './relevance/own-set.ts'
import { pooled } from './relevance/pool.ts'

const HELP = `Judges our own sets of queries by the rules of bench/relevance/judging.md.

  node tools/judging.ts pool --set demo --queries d001,d002
  node tools/judging.ts check --set amazon_in --data FOLDER

  pool     prints what must be judged for each query: id, then the fields that a judge reads
  second   prints a tenth of the judged pairs without their grades, to be judged again
  check    unjudged documents of the pool, equal products with unequal grades, and the
           agreement of the second pass with the first

  --set NAME        ${OWN_SETS.join(', ')}
  --queries A,B     only these queries
  --unjudged        pool: only documents without a grade
  --data FOLDER     folder of the data sets (AISLE_DATASETS; ../shared/data)
`

/** The parts of a document that a judge reads. */
const READ_FIELDS: Record<OwnSetName, readonly string[]> = {
  demo: ['title', 'sku', 'color', 'material', 'sizes', 'tags', 'description'],
  amazon_in: ['name', 'brand', 'sub_categories', 'colors'],
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', default: OWN_SETS[0] },
    queries: { type: 'string' },
    unjudged: { type: 'boolean', default: false },
    data: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const [command] = positionals
  if (values.help || command === undefined) return console.log(HELP)
  const name = OWN_SETS.find((known) => known === values.set)
  if (name === undefined) {
    throw new Error(`Unknown set "${values.set}": expected ${OWN_SETS.join(', ')}`)
  }
  const set = chosen(readOwnSet(name, () => unpackedFolder(values.data)))
  if (command === 'pool') await printPool(name, set, await poolOf(name, set))
  else if (command === 'second') await printPool(name, set, drawSecondPass(set.queries))
  else if (command === 'check') await check(name, set)
  else throw new Error(`Unknown command "${command}": expected pool, second or check`)
}

function chosen(set: OwnSet): OwnSet {
  const ids = values.queries?.split(',')
  if (ids === undefined) return set
  return { ...set, queries: set.queries.filter(({ id }) => ids.includes(id)) }
}

async function poolOf(name: OwnSetName, set: OwnSet): Promise<Map<string, string[]>> {
  await using server = await ServerProcess.start()
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  return await pooled(client, await loadSet(client, name, set), set)
}

async function printPool(
  name: OwnSetName,
  set: OwnSet,
  pools: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const documents = await documentsOf(set)
  for (const { id: query, kind, text, intent, judgments } of set.queries) {
    const ids = (pools.get(query) ?? []).filter((id) => !values.unjudged || !judgments.has(id))
    if (ids.length === 0) continue
    console.log(`\n${query}  ${text}  (${kind}: ${intent})`)
    for (const id of ids) {
      const document = documents.get(id) ?? {}
      console.log([id, ...READ_FIELDS[name].map((field) => fieldText(document[field]))].join(' | '))
    }
  }
}

async function check(name: OwnSetName, set: OwnSet): Promise<void> {
  const documents = await documentsOf(set)
  const pools = await poolOf(name, set)
  let judged = 0
  for (const { id, text, judgments } of set.queries) {
    const missing = (pools.get(id) ?? []).filter((document) => !judgments.has(document))
    judged += judgments.size
    if (missing.length > 0) console.log(`${id} ${text}: not judged: ${missing.join(', ')}`)
    const unknown = [...judgments.keys()].filter((document) => !documents.has(document))
    if (unknown.length > 0) console.log(`${id} ${text}: no such documents: ${unknown.join(', ')}`)
    printTwins({ id, text, judgments }, documents)
  }
  console.log(`${set.queries.length} queries, ${judged} judgments`)
  const second = readSecondPass(name)
  if (second.length === 0) return
  const { pairs, same, kappa } = agreement(set.queries, second)
  console.log(
    `second pass: ${pairs} pairs, ${same} with the same grade (${((100 * same) / pairs).toFixed(1)} %), weighted kappa ${kappa.toFixed(2)}`,
  )
}

function printTwins(
  { id, text, judgments }: Pick<OwnQuery, 'id' | 'text' | 'judgments'>,
  documents: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): void {
  const titled = [...judgments].map(([document, grade]) => {
    const { title, name } = documents.get(document) ?? {}
    return { document, grade, title: fieldText(title ?? name) }
  })
  for (const twins of unequalTwins(text, titled)) {
    const grades = twins.map(({ document, grade }) => `${document} ${grade}`).join(', ')
    console.log(`${id} ${text}: alike, but graded apart: ${grades}`)
  }
}

async function documentsOf(set: OwnSet): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const documents = new Map<string, Readonly<Record<string, unknown>>>()
  for await (const line of set.lines()) {
    const document = JSON.parse(line) as Readonly<Record<string, unknown>> & { id: string }
    documents.set(document.id, document)
  }
  return documents
}
