import { performance } from 'node:perf_hooks'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import { loadSet } from './load-set.ts'
import { phraseCatalogs, phraseReport, readPhrases, type PhraseReport } from './interpretation.ts'
import { readJudgedSet, sample } from './judged-set.ts'

const QUERIES = 2_000
const PRICES_MAX = 400
/** `… in Brushed Nickel`: how the titles of homedepot name a colour. */
const COLOR_WORDS_MAX = 3

interface Answer {
  readonly interpretation?: {
    readonly filters: readonly {
      readonly kind: string
      readonly field: string
      readonly operator: string
      readonly values: readonly unknown[]
      readonly text: string
      readonly filter_by: string
    }[]
    readonly rest: string
  }
}

/** Searches our phrases. */
export async function interpretPhrases(client: ThinClient): Promise<PhraseReport> {
  const stores = new Map<string, StoreKeys>()
  for (const { store, language, fields, documents } of phraseCatalogs()) {
    const lines = () => ReadableStream.from(documents.map((one) => JSON.stringify(one)))
    const keys = await loadSet(client, `phrases ${store}`, { schema: { fields }, lines })
    await client.setSettings(keys, { language })
    stores.set(store, keys)
  }
  return phraseReport(readPhrases(), async ({ store, query: q }) => {
    const request = { q, interpret: true, per_page: 0, analytics: false }
    const { interpretation } = (await client.search(
      stores.get(store)!,
      request,
    )) as unknown as Answer
    return interpretation?.filters ?? []
  })
}

export interface PlainQueriesReport {
  readonly queries: number
  /** Queries with readings, and these, to be judged by eye. */
  readonly read: readonly string[]
  /** Milliseconds over HTTP, without and with an interpretation. */
  readonly medianMs: readonly [number, number]
  readonly p95Ms: readonly [number, number]
}

/** Searches queries that visitors typed for words, in a catalog with brands, colours and prices. */
export async function interpretPlainQueries(
  client: ThinClient,
  data: string,
): Promise<PlainQueriesReport> {
  const { lines, queries } = readJudgedSet(data, 'homedepot')
  const role = { facet: true }
  const fields = [
    { name: 'title', type: 'string', searchable: true },
    { name: 'brand', type: 'string', searchable: true, ...role },
    { name: 'color', type: 'string', ...role },
    { name: 'price', type: 'float', ...role },
  ]
  const keys = await loadSet(client, 'homedepot with colours', {
    schema: { fields },
    lines: () => withFacts(lines()),
  })
  const read: string[] = []
  const times: [number[], number[]] = [[], []]
  for (const { text: q } of sample(queries, QUERIES)) {
    for (const interpret of [false, true]) {
      const startMs = performance.now()
      const answer = await client.search(keys, { q, interpret, per_page: 24, analytics: false })
      times[interpret ? 1 : 0].push(performance.now() - startMs)
      const { interpretation } = answer as unknown as Answer
      const filters = interpretation?.filters.map((one) => one.filter_by) ?? []
      if (filters.length > 0) read.push(`${q} -> ${filters.join(' && ')} | ${interpretation?.rest}`)
    }
  }
  const at = (share: number) =>
    times.map((all) => all.toSorted((a, b) => a - b)[Math.floor(all.length * share)]!)
  return {
    queries: times[0].length,
    read,
    medianMs: at(0.5) as [number, number],
    p95Ms: at(0.95) as [number, number],
  }
}

/** Adds a colour that the title names, and some price. */
async function* withFacts(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let seen = 0
  for await (const line of lines) yield withFactsOf(line, seen++)
}

function withFactsOf(line: string, at: number): string {
  const document = JSON.parse(line) as { title: string }
  const start = document.title.lastIndexOf(' in ')
  const color = start < 0 ? '' : document.title.slice(start + 4)
  const words = color.split(' ')
  const isColor =
    words.length <= COLOR_WORDS_MAX && words.every((word) => /^[A-Z][a-z]+$/.test(word))
  const price = 1 + ((at * 7_919) % (PRICES_MAX * 100)) / 100
  return JSON.stringify({ ...document, price, ...(isColor ? { color } : {}) })
}

export function printInterpretation(phrases: PhraseReport, plain?: PlainQueriesReport): void {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  console.log(
    `${phrases.phrases} phrases: precision ${percent(phrases.precision)} of ${phrases.read} readings, recall ${percent(phrases.recall)} of ${phrases.expected}`,
  )
  for (const one of phrases.false) console.log(`  false   ${one}`)
  for (const one of phrases.missed) console.log(`  missed  ${one}`)
  if (plain === undefined) return
  const [without, withIt] = plain.medianMs
  const [slowWithout, slowWith] = plain.p95Ms
  console.log(`homedepot: readings in ${plain.read.length} of ${plain.queries} queries; to judge:`)
  for (const one of plain.read) console.log(`  ${one}`)
  console.log(
    `a search takes ${without.toFixed(2)} ms (p95 ${slowWithout.toFixed(2)}), with interpretation ${withIt.toFixed(2)} (${slowWith.toFixed(2)})`,
  )
}
