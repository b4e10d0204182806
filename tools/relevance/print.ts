import type { StoreKeys, ThinClient } from '@aisle/testing'
import type { PairedDifference } from '../lib/bootstrap.ts'
import { mean, quantile } from '../lib/metrics.ts'
import { textTable } from '../lib/text-table.ts'
import type { AbsentReport } from './absent-words.ts'
import type { Baseline } from './baseline.ts'
import type { MatchedDocuments } from './matching.ts'
import type { Shown } from './pool.ts'
import type { QueryResult } from './run-queries.ts'
import type { TypoReport } from './typo-report.ts'

export interface SetReport {
  readonly name: string
  readonly results: readonly QueryResult[]
  readonly comparison?: PairedDifference
  readonly typo?: TypoReport
  /** Matching figures, if requested. */
  readonly matched?: readonly MatchedDocuments[]
  /** Real words that the catalog lacks, and misspelt ones. */
  readonly absent?: AbsentReport
  /** NDCG@10 of FTS5, if measured in the same run. */
  readonly fts5?: number
  /** First pages of a pooled set. */
  readonly shown?: Shown
}

interface Reference {
  readonly goal: number
  readonly recallGoal: number
  readonly bm25: number
  readonly fts5: number
}

/** The goals of a set, and the results of others on the same queries (development halves). */
const REFERENCES: Readonly<Record<string, Reference>> = {
  icecat: { goal: 0.785, recallGoal: 0.92, bm25: 0.6789, fts5: 0.7065 },
  crowdflower: { goal: 0.77, recallGoal: 0.93, bm25: 0.726, fts5: 0.7071 },
  homedepot: { goal: 0.425, recallGoal: 0.77, bm25: 0.375, fts5: 0.3718 },
}
const MISSPELT_GOAL = 0.33
const HARM_GOAL = -0.002

export function printSets(reports: readonly SetReport[], baseline: Baseline | undefined): void {
  const rows = reports.map(({ name, results, comparison, fts5 }) => {
    const ndcg = results.map((result) => result.ndcg)
    const reference = REFERENCES[name]
    return [
      name,
      String(ndcg.filter((value) => value !== undefined).length),
      four(mean(ndcg)),
      reference === undefined ? '' : `>= ${reference.goal}`,
      reference === undefined ? '' : four(reference.bm25),
      four(fts5 ?? reference?.fts5),
      four(mean(results.map((result) => result.condensed))),
      three(mean(results.map((result) => result.recall))),
      reference === undefined ? '' : `>= ${reference.recallGoal}`,
      three(mean(results.filter((r) => r.ndcg !== undefined).map((result) => result.judged))),
      String(results.filter((result) => result.found === 0).length),
      comparison === undefined ? '' : interval(comparison),
    ]
  })
  const against = baseline === undefined ? 'baseline' : `baseline ${baseline.commit}`
  const heading = [
    'set (dev)',
    'queries',
    'NDCG@10',
    'goal',
    'BM25',
    'FTS5',
    'condensed',
    'recall@100',
    'goal',
    'judged@10',
    'empty',
    `against ${against}`,
  ]
  console.log(textTable([heading, ...rows]))
}

/** For pooled sets: unjudged results, and results of queries without an answer. */
export function printShown(reports: readonly SetReport[]): void {
  for (const { name, shown } of reports) {
    if (shown === undefined) continue
    const where = shown.unjudged === 0 ? '' : ` (${shown.unjudgedQueries.join(', ')})`
    console.log(
      `${name}: ${shown.unjudged} of ${shown.documents} documents in the first ten are not judged${where}; ` +
        `${shown.withoutAnswer} queries that nothing answers show ${shown.shownWithoutAnswer}`,
    )
  }
}

const NAMED_MAX = 60

/** Real words taken for misspelt, and misspelt words that are not found. */
export function printAbsent(reports: readonly SetReport[]): void {
  for (const { name, absent } of reports) {
    if (absent === undefined) continue
    const { shown, shownInQuery, missed, astray } = absent
    console.log(`\n${name}: words that the catalog lacks, and misspelt words that it has`)
    console.log(
      textTable([
        ['figure', 'value'],
        ['words that it lacks, corrected all the same', share(shown.length, absent.absent)],
        ['... in a query with other words', share(shownInQuery.length, absent.queries)],
        ['... that did_you_mean asks about instead', share(absent.asked, absent.absent)],
        ['misspelt words, not corrected', share(missed.length, absent.misspelt)],
        ['... corrected to another word first', share(astray.length, absent.misspelt)],
      ]),
    )
    for (const [what, words] of Object.entries({ shown, shownInQuery, missed, astray })) {
      if (words.length > 0) console.log(`${what}: ${words.slice(0, NAMED_MAX).join(', ')}`)
    }
  }
}

export function printTypos(typo: TypoReport): void {
  const { words, harm, latencyMs } = typo
  console.log(`\nTypo tolerance, ${typo.queries} judged homedepot queries as people mistyped them`)
  const rows = [
    ['figure', 'value', 'goal'],
    ['NDCG@10 as typed', four(typo.asTyped), `>= ${MISSPELT_GOAL}`],
    ['NDCG@10 corrected by hand', four(typo.corrected), ''],
    [
      'recall@100 as typed / corrected',
      `${three(typo.recallAsTyped)} / ${three(typo.recallCorrected)}`,
      '',
    ],
    ['share of the gap closed (BM25 as typed to corrected)', typo.gapClosed.toFixed(2), '>= 0.7'],
    [
      'reachable misspelt words with the meant word in the results',
      share(words.found, words.reachable),
      '',
    ],
    ['... in the first hundred', share(words.inFirstHundred, words.reachable), ''],
    [
      '... of those that nothing in the catalog stands for',
      share(words.unknownFound, words.unknown),
      '>= 97.5 %',
    ],
    [`harm on ${harm.pairs} clean queries (on minus off)`, interval(harm), `>= ${HARM_GOAL}`],
    ['latency p50 / p99 with typo tolerance, ms', pair(latencyMs.on), ''],
    ['latency p50 / p99 without, ms', pair(latencyMs.off), ''],
  ]
  console.log(textTable(rows))
  if (words.missed.length > 0) console.log(`missed: ${words.missed.slice(0, 40).join(', ')}`)
}

/** Shows where to look next. Nothing of this is stored. */
export async function printWorst(
  client: ThinClient,
  keys: StoreKeys,
  name: string,
  results: readonly QueryResult[],
  options: { count: number; parameters: Readonly<Record<string, unknown>> },
): Promise<void> {
  const worst = results
    .filter((result) => result.ndcg !== undefined)
    .toSorted((a, b) => (a.ndcg ?? 0) - (b.ndcg ?? 0) || (a.condensed ?? 0) - (b.condensed ?? 0))
    .slice(0, options.count)
  console.log(`\n${name}: the worst ${worst.length} queries`)
  for (const result of worst) {
    const answer = await client.search(keys, { ...options.parameters, q: result.text, per_page: 5 })
    console.log(
      `${four(result.ndcg ?? 0)} (condensed ${four(result.condensed ?? 0)}, found ${result.found})  ${result.text}`,
    )
    for (const hit of answer.hits) {
      console.log(`        ${textOf(hit.document['title'] ?? hit.id).slice(0, 100)}`)
    }
  }
  const took = results.map((result) => result.tookMs)
  console.log(`latency p50 / p99: ${pair([quantile(took, 0.5), quantile(took, 0.99)])} ms\n`)
}

function interval({ mean: value, low, high, better, worse }: PairedDifference): string {
  return `${signed(value)} [${signed(low)}, ${signed(high)}] better ${better}, worse ${worse}`
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`
}

function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole
  return `${part} of ${whole} (${percent.toFixed(1)} %)`
}

function four(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(4)
}

function three(value: number): string {
  return value.toFixed(3)
}

function pair([p50, p99]: readonly [number, number]): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
