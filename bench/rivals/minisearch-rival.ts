import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { measurePasses } from '../lib/measure.ts'
import type { BenchQuery, QueryClassName } from '../lib/query-classes.ts'
import type { RivalAnswer, RivalSpec } from './rival.ts'

/**
 * The process of MiniSearch: node minisearch-rival.ts FOLDER SPEC, documents on standard input. It
 * returns all results; filter, facets and order are loops over them.
 */
interface Document {
  readonly key: number
  readonly price?: number
  readonly [field: string]: unknown
}
interface Index {
  add(document: Document): void
  search(query: unknown, options: object): { readonly id: number }[]
}
type Constructor = (new (options: object) => Index) & { readonly wildcard: unknown }

const [folder = '', specFile = ''] = process.argv.slice(2)
const spec = JSON.parse(readFileSync(specFile, 'utf8')) as RivalSpec
const MiniSearch = createRequire(join(folder, 'package.json'))('minisearch') as Constructor
const index = new MiniSearch({ fields: spec.texts, idField: 'key' })
const documents: Document[] = []

for await (const line of createInterface({ input: process.stdin })) {
  const document = { ...(JSON.parse(line) as object), key: documents.length }
  documents.push(document)
  index.add(document)
}
const { user, system } = process.cpuUsage()
const docsPerSecond = documents.length / ((user + system) / 1e6)

const classes: Partial<Record<QueryClassName, { best: number[]; all: number[] }>> = {}
for (const { name, queries } of spec.classes) {
  classes[name] = await measurePasses(queries, search, spec)
}
const answer: RivalAnswer = { docsPerSecond, classes }
console.log(JSON.stringify(answer))

/** Finds the exact count, and the requested facets. */
function search(query: BenchQuery): number {
  const range = query.filters?.price
  const results = index.search(query.q === '*' ? MiniSearch.wildcard : query.q, {
    combineWith: query.require_all_terms === true ? 'AND' : 'OR',
    prefix:
      query.prefix_mode === 'always' &&
      ((_: string, at: number, terms: readonly string[]) => at === terms.length - 1),
    fuzzy: (query.typo_max ?? 0) > 0 && editsOf,
    ...(range === undefined
      ? {}
      : { filter: ({ id }: { id: number }) => price(id) >= range.gte && price(id) <= range.lte }),
  })
  if (query.sort_by !== undefined) results.sort((a, b) => price(a.id) - price(b.id))
  for (const facet of query.facet_by ?? []) countValues(results, facet)
  return results.length
}

function price(key: number): number {
  return documents[key]?.price ?? 0
}

/** Edits that the service allows per word: none up to 3 letters, one up to 6, else two. */
function editsOf(word: string): number {
  return word.length <= 3 ? 0 : word.length <= 6 ? 1 : 2
}

/** What users of a library without facets write: one pass over the results. */
function countValues(results: readonly { readonly id: number }[], facet: string): void {
  const counts = new Map<unknown, number>()
  for (const { id } of results) {
    for (const value of [documents[id]![facet]].flat()) {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
  }
}
