import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '../lib/bulk-load.ts'
import { findCatalog } from '../lib/data-folder.ts'
import type { Judgments } from '../lib/metrics.ts'

/** A catalog with queries whose results were graded by people. */
export interface JudgedSet {
  /** Body of the request that sets the schema. */
  readonly schema: unknown
  /** Documents as JSON, one per line. */
  readonly lines: () => AsyncIterable<string>
  readonly queries: readonly JudgedQuery[]
  /** The minimum grade of a document that counts in recall. */
  readonly goodGrade: number
}

export interface JudgedQuery {
  readonly id: string
  readonly text: string
  readonly judgments: Judgments
}

/** A query as typed, and the person's intent. */
export interface TypoQuery {
  readonly id: string
  readonly raw: string
  readonly corrected: string
}

export interface TypoWord {
  readonly misspelling: string
  readonly correct: string
  /** Optimal string alignment distance in code points. */
  readonly distance: number
}

export const JUDGED_SETS = ['icecat', 'crowdflower', 'homedepot'] as const
export type JudgedSetName = (typeof JUDGED_SETS)[number]

/** The lowest good grade, as in the recall of the published baselines. */
const GOOD_GRADE: Record<JudgedSetName, number> = { icecat: 2, crowdflower: 1, homedepot: 1 }

/** Reads the development half of a judged set from an unpacked folder. */
export function readJudgedSet(folder: string, name: JudgedSetName): JudgedSet {
  const judgments = new Map<string, Map<string, number>>()
  for (const [query = '', , document = '', grade = ''] of rows(
    join(folder, name, 'dev/qrels.dev.tsv'),
  )) {
    const ofQuery = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, ofQuery)
    // The highest of several judgments of one pair counts.
    ofQuery.set(document, Math.max(Number(grade), ofQuery.get(document) ?? Number(grade)))
  }
  const queries = rows(join(folder, name, 'dev/queries.dev.tsv')).map(([id = '', text = '']) => ({
    id,
    text,
    judgments: judgments.get(id) ?? new Map<string, number>(),
  }))
  return { ...readCatalog(folder, name), queries, goodGrade: GOOD_GRADE[name] }
}

/** A catalog of the data sets, for a judged set. */
export function readCatalog(folder: string, name: string): Pick<JudgedSet, 'schema' | 'lines'> {
  const { schemaFile, productsFile } = findCatalog(folder, name)
  return {
    schema: JSON.parse(readFileSync(schemaFile, 'utf8')),
    lines: () => linesOf(productsFile),
  }
}

export function readTypoQueries(folder: string): TypoQuery[] {
  const [, ...body] = rows(join(folder, 'homedepot/typo_queries.dev.tsv'))
  return body.map(([id = '', raw = '', corrected = '']) => ({ id, raw, corrected }))
}

export function readTypoWords(folder: string): TypoWord[] {
  const [, ...body] = rows(join(folder, 'misspellings/homedepot_words.dev.tsv'))
  return body.map(([misspelling = '', correct = '', , distance = '']) => ({
    misspelling,
    correct,
    distance: Number(distance),
  }))
}

/**
 * A share of the queries, `size` of them, evenly spread and always the same: a sample that can be
 * compared with an earlier one, pair by pair.
 */
export function sample<Item>(items: readonly Item[], size: number): Item[] {
  if (items.length <= size) return [...items]
  return items.filter(
    (_, at) =>
      Math.floor((at * size) / items.length) !== Math.floor(((at - 1) * size) / items.length),
  )
}

/** The lines of a file with tab-separated columns. */
export function rows(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
}
