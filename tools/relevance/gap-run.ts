import type { MendPreview, SynonymItem } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import { pairedBootstrap, type PairedDifference } from '../lib/bootstrap.ts'
import { mean } from '../lib/metrics.ts'
import { textTable } from '../lib/text-table.ts'
import { rows, type JudgedQuery } from './judged-set.ts'
import { mapConcurrently, runQueries, type RunOptions } from './run-queries.ts'
import { embedded, signed, type SemanticSetting } from './semantic-run.ts'

/** A query with a word that the catalog uses rarely or never, in place of one that it uses. */
export interface GapQuery extends JudgedQuery {
  readonly word: string
  readonly synonym: string
}

/** @param file of `data/tools/gap.py`, with queries of `queries` */
export function readGapQueries(file: string, queries: readonly JudgedQuery[]): GapQuery[] {
  const byId = new Map(queries.map((query) => [query.id, query]))
  return rows(file).flatMap(([id = '', text = '', , pair = '']) => {
    const query = byId.get(id.split('#')[0]!)
    const [word = '', synonym = ''] = pair.split('>')
    return query === undefined ? [] : [{ ...query, id, text, word, synonym }]
  })
}

export interface GapReport {
  readonly queries: number
  /** NDCG@10 of each way to search, beside words alone. */
  readonly ways: readonly {
    readonly name: string
    readonly ndcg: number
    readonly difference: PairedDifference | undefined
  }[]
  /** Synonyms by meaning that were proposed, and those that a reviewer accepts. */
  readonly proposed: number
  readonly accepted: readonly SynonymItem[]
  /** Queries with a proposal that is accepted. */
  readonly mended: number
}

/**
 * Searches in other words than the catalog's: by words, by words and meaning, and both with the
 * synonyms that were proposed by meaning and reviewed.
 */
export async function measureGap(
  client: ThinClient,
  keys: StoreKeys,
  queries: readonly GapQuery[],
  semantic: SemanticSetting,
  options: RunOptions,
): Promise<GapReport> {
  await client.setSettings(keys, { semantic })
  await embedded(client, keys, 'homedepot')
  const run = async (mode: 'off' | 'on'): Promise<number[]> => {
    const parameters = { ...options.parameters, semantic: mode, cache_results: false }
    const asked = { ...options, parameters }
    // The first time fills the cache of query vectors, however long it takes.
    if (mode === 'on') await runQueries(client, keys, queries, asked)
    const results = await runQueries(client, keys, queries, asked)
    return results.map(({ ndcg = 0 }) => ndcg)
  }
  const store = client.store(keys)
  const byWords = await run('off')
  const ways = [{ name: 'words', each: byWords }]
  ways.push({ name: 'words and meaning', each: await run('on') })
  const proposals = await mapConcurrently(queries, 1, async ({ text }) => {
    const { mends } = await store.mends(text)
    return mends.filter(({ source }) => source === 'meaning')
  })
  const accepted = queries.map((query, i) => proposals[i]!.filter((one) => isAccepted(query, one)))
  const items = distinct(
    accepted.flat().map(({ mend: { from = '', to = '' } }) => ({ root: from, synonyms: [to] })),
  )
  if (items.length > 0)
    await store.putResource('synonym-sets', 'reviewed', { items, default: true })
  ways.push({ name: 'words, reviewed synonyms', each: await run('off') })
  ways.push({ name: 'both, reviewed synonyms', each: await run('on') })
  const truth = distinct(queries.map(({ word, synonym }) => ({ root: synonym, synonyms: [word] })))
  await store.putResource('synonym-sets', 'reviewed', { items: truth, default: true })
  ways.push({ name: 'words, every true synonym', each: await run('off') })
  return {
    queries: queries.length,
    ways: ways.map(({ name, each }, at) => ({
      name,
      ndcg: mean(each),
      difference: at === 0 ? undefined : pairedBootstrap(each.map((one, i) => one - byWords[i]!)),
    })),
    proposed: proposals.flat().length,
    accepted: items,
    mended: accepted.filter(({ length }) => length > 0).length,
  }
}

const analyzer = createAnalyzer('en')

/**
 * The reviewer knows the word that was replaced, and accepts a synonym for exactly what replaced
 * it that has this word, in any form.
 */
function isAccepted(
  { word, synonym }: Pick<GapQuery, 'word' | 'synonym'>,
  { mend: { from = '', to = '' } }: Pick<MendPreview, 'mend'>,
): boolean {
  return stemsOf(from) === stemsOf(synonym) && ` ${stemsOf(to)} `.includes(` ${stemsOf(word)} `)
}

function stemsOf(text: string): string {
  const words = analyzer.analyze(text).filter(({ kind }) => kind !== 'joined')
  return words.map(({ form }) => analyzer.stem(form)).join(' ')
}

function distinct(items: readonly SynonymItem[]): SynonymItem[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

export function gapText({ queries, ways, proposed, accepted, mended }: GapReport): string {
  const lines = ways.map(({ name, ndcg, difference: d }) => [
    name,
    ndcg.toFixed(4),
    d === undefined ? '' : `${signed(d.mean)} (${signed(d.low)} to ${signed(d.high)})`,
  ])
  const pairs = accepted.map(({ root, synonyms }) => `${root} > ${synonyms.join()}`)
  return [
    textTable([['gap set', 'NDCG@10', 'difference'], ...lines]),
    `${queries} queries; ${proposed} synonyms proposed; ${mended} queries have one that is accepted`,
    `accepted: ${pairs.join(', ')}`,
  ].join('\n')
}
