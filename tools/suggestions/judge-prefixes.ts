import { Readable } from 'node:stream'
import { createAnalyzer } from '@aisle/engine'
import { readHeaders, sendEvents, until, type ServerProcess, type ThinClient } from '@aisle/testing'
import { loadBatches } from '../lib/bulk-load.ts'
import { PLANTED_KINDS, wordsOf, type PlantedSet } from './planted-typos.ts'

/** Suggestions visible without scrolling. */
const SHOWN = 5
const WAIT_MS = 120_000
/** The last search to be sent: once it is suggested, all others are counted. */
const LAST = 2

export interface JudgedPrefixes {
  readonly prefixes: number
  /** Errors among the first five, one line each. */
  readonly typos: readonly string[]
  /** Suggestions of several words that no visitor typed and no title contains. */
  readonly fragments: readonly string[]
  /** Prefixes with the intended text among the first five. */
  readonly meant: number
  /** Milliseconds per request, the slowest of 20 last. */
  readonly p50Ms: number
  readonly p95Ms: number
}

/** A catalog with misspellings, its traffic, and the completions of each prefix. */
export async function judgePrefixes(
  server: ServerProcess,
  client: ThinClient,
  { name, schema, lines, titles, planted }: JudgedCatalog,
): Promise<JudgedPrefixes> {
  const keys = await client.createStore({ name: `suggestions ${name}` })
  await client.setSchema(keys, schema)
  const all = [...lines, ...planted.documents.map((document) => JSON.stringify(document))]
  const outcome = await loadBatches(client, keys, Readable.from(all))
  if (outcome.failedCount > 0) throw new Error(`${outcome.failedCount} documents were refused`)
  await sendEvents(server.url, keys.eventsWriteKey, searchesOf(planted))
  const suggest = async (q: string) => {
    const parameters = new URLSearchParams({ q, include_dropdown_product_list: 'false' })
    const startMs = performance.now()
    const answer = await fetch(`${server.url}/v1/suggestions/queries?${parameters.toString()}`, {
      headers: readHeaders(keys),
    })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    const { suggestions } = (await answer.json()) as {
      suggestions: readonly { readonly query: string; readonly popularity: number }[]
    }
    return { shown: suggestions.slice(0, SHOWN), tookMs: performance.now() - startMs }
  }
  await until(
    'what was searched for last is suggested',
    async () => {
      const { shown } = await suggest(planted.last)
      return shown.some(({ query, popularity }) => query === planted.last && popularity >= LAST)
    },
    { timeoutMs: WAIT_MS, pauseMs: 200 },
  )
  const rows = new Set(titles.flatMap((title) => rowsOf(title)))
  const asked = new Set(planted.searches.map(({ query }) => query))
  const typos: string[] = []
  const fragments: string[] = []
  const times: number[] = []
  let meant = 0
  for (const one of planted.cases) {
    const { shown, tookMs } = await suggest(one.prefix)
    times.push(tookMs)
    const texts = shown.map(({ query }) => query)
    const wrong = texts.filter((text) => wordsOf(text).some((word) => planted.typos.has(word)))
    if (wrong.length > 0) typos.push(`${one.kind}: "${one.prefix}" -> ${wrong.join(', ')}`)
    const cut = shown.filter(
      ({ query, popularity }) =>
        popularity === 0 &&
        query.includes(' ') &&
        !asked.has(query) &&
        !rows.has(rowOf(query).split(' ').slice(-2).join(' ')),
    )
    if (cut.length > 0)
      fragments.push(`"${one.prefix}" -> ${cut.map(({ query }) => query).join(', ')}`)
    if (texts.some((text) => ` ${text} `.includes(` ${one.meant} `))) meant++
  }
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? 0
  const prefixes = planted.cases.length
  return { prefixes, typos, fragments, meant, p50Ms: at(0.5), p95Ms: at(0.95) }
}

export interface JudgedCatalog {
  readonly name: string
  readonly schema: unknown
  readonly lines: readonly string[]
  /** Titles and names, from which suggestions may be cut. */
  readonly titles: readonly string[]
  readonly planted: PlantedSet & { readonly last: string }
}

function searchesOf({ searches, last }: JudgedCatalog['planted']): object[] {
  const visited = [...searches, { query: last, visitors: LAST }]
  return visited.flatMap(({ query, visitors }, i) =>
    Array.from({ length: visitors }, (_, visitor) => ({
      type: 'track',
      event: 'Search Submitted',
      messageId: `${i} ${visitor}`,
      anonymousId: `visitor ${i} ${visitor}`,
      timestamp: new Date(Date.now() - 60_000).toISOString(),
      properties: { query, num_found: 3 },
    })),
  )
}

/** Its words in any form, separated by blanks. */
function rowOf(text: string): string {
  const words = analyzer.analyze(text).filter(({ kind }) => kind !== 'joined')
  return words.map(({ form }) => analyzer.stem(form)).join(' ')
}

const analyzer = createAnalyzer('en')

/** All pairs of adjacent words. */
function rowsOf(text: string): string[] {
  const words = rowOf(text).split(' ')
  return words.slice(1).map((word, i) => `${words[i]} ${word}`)
}

export function printJudged(name: string, judged: JudgedPrefixes, isVerbose: boolean): void {
  const { prefixes, typos, fragments, meant, p50Ms, p95Ms } = judged
  console.log(
    `${name.padEnd(12)} ${String(prefixes).padStart(4)} prefixes  ` +
      `${String(typos.length).padStart(4)} with a misspelling  ` +
      `${String(fragments.length).padStart(4)} with a fragment  ` +
      `${String(meant).padStart(4)} with what was meant  ` +
      `p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`,
  )
  for (const kind of PLANTED_KINDS) {
    const count = typos.filter((line) => line.startsWith(`${kind}:`)).length
    if (count > 0) console.log(`    ${kind}: ${count}`)
  }
  if (!isVerbose) return
  for (const line of [...typos, ...fragments.map((one) => `fragment: ${one}`)])
    console.log(`    ${line}`)
}
