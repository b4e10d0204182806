import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAnalyzer } from '../../packages/engine/src/index.ts'
import { NOON_MS, searched } from '../../packages/suggestions/src/history/events-for-test.ts'
import { QueryHistory } from '../../packages/suggestions/src/history/query-history.ts'
import { buildSuggestionIndex } from '../../packages/suggestions/src/index/build-index.ts'
import {
  popularityOfRank,
  SuggestionIndex,
} from '../../packages/suggestions/src/index/suggestion-index.ts'
import { dayOf } from '../../packages/suggestions/src/index/windows.ts'
import { SuggestionMatcher } from '../../packages/suggestions/src/match/match-suggestions.ts'
import { readTyped } from '../../packages/suggestions/src/match/typed-text.ts'

const HEAD = 200
const PREFIX_LENGTH_MAX = 6

const analyzer = createAnalyzer('en')

/** query TAB popularity TAB …, with a heading. */
function readQueries(file: string): { query: string; popularity: number }[] {
  const [, ...lines] = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [query = '', popularity = '0'] = line.split('\t')
    return { query, popularity: Number(popularity) }
  })
}

// Goal: suggestions are in the order of what a shop's visitors search for. Method: replays the head
// queries of a real shop, and checks every prefix of the top 200.
function replay(file: string): void {
  const queries = readQueries(file)
    .filter(({ popularity }) => popularity > 0)
    .toSorted((a, b) => b.popularity - a.popularity)
  const history = new QueryHistory(analyzer)
  for (const { query, popularity } of queries) {
    for (let i = 0; i < popularity; i++) {
      history.apply(searched(query, { sessionId: `${query} ${i}` }))
    }
  }
  const nowMs = NOON_MS + 60_000
  history.tick(nowMs)
  const { table, documents } = history
  const input = { table, documents: documents.documents, names: [], analyzer, today: dayOf(nowMs) }
  const matcher = new SuggestionMatcher(new SuggestionIndex(buildSuggestionIndex(input)))

  const { texts } = matcher.index
  const shownTexts = new Set(
    Array.from({ length: texts.length }, (_, i) => analyzer.fold(texts.get(i))),
  )
  // "testing" is shown as "test": its last letters are not needed.
  const head = queries.slice(0, HEAD).filter(({ query }) => shownTexts.has(analyzer.fold(query)))
  assert.ok(head.length > 0.9 * HEAD, `${head.length} are shown as they were written`)
  const prefixes = new Set(
    head.flatMap(({ query }) => {
      const letters = [...query]
      const lengths = Array.from({ length: PREFIX_LENGTH_MAX }, (_, i) => i + 1)
      return lengths.map((length) => letters.slice(0, length).join('').trim())
    }),
  )
  for (const prefix of prefixes) {
    const typed = readTyped(prefix, analyzer)
    const { found } = matcher.match({
      typed,
      window: 1,
      depth: 1_000,
      minPopularity: 0,
      minSessions: 1,
      minNetworks: 1,
      tags: [],
      allTags: false,
      beginningOnly: true,
      typos: false,
      interests: [],
    })
    const shown = found.map(({ entry, rank }) => ({
      query: matcher.index.texts.get(entry),
      popularity: popularityOfRank(rank),
    }))
    assert.ok(shown.length > 0, prefix)
    const begun = shown.filter(({ query }) =>
      analyzer.fold(query).startsWith(analyzer.fold(prefix)),
    )
    assert.deepEqual(shown.slice(0, begun.length), begun, `${prefix}: what begins so comes first`)
    const inOrder = begun.toSorted((a, b) => b.popularity - a.popularity)
    assert.deepEqual(
      begun.map(({ popularity }) => popularity),
      inOrder.map(({ popularity }) => popularity),
      prefix,
    )
  }
  assert.ok(prefixes.size > 400, `${prefixes.size} beginnings`)
}

// Only with the data sets: `AISLE_DATASETS=FOLDER npm test` (CONTRIBUTING.md).
const folder = process.env['AISLE_DATASETS']
const file = folder === undefined ? '' : join(folder, 'queries/bestbuy_suggestions.tsv')
if (existsSync(file)) {
  test('every prefix of the head queries of a shop is completed by popularity', () => replay(file))
}
