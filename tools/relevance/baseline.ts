import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { pairedBootstrap, type PairedDifference } from '../lib/bootstrap.ts'
import type { QueryResult } from './run-queries.ts'

/**
 * NDCG@10 of a past run by query, for comparison with the next one. Ids and numbers only: neither
 * the queries nor the documents of the judged sets may be in the repository.
 */
export interface Baseline {
  readonly commit: string
  readonly date: string
  /** Set name -> query id -> NDCG@10, four decimals. */
  readonly sets: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export const BASELINE_FILE = join(REPOSITORY, 'bench/relevance/baseline.json')

export function readBaseline(file: string): Baseline | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Baseline) : undefined
}

export function writeBaseline(file: string, baseline: Baseline): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(baseline, undefined, 2)}\n`)
}

export function ndcgByQuery(results: readonly QueryResult[]): Record<string, number> {
  return Object.fromEntries(
    results.flatMap(({ id, ndcg }) => (ndcg === undefined ? [] : [[id, Number(ndcg.toFixed(4))]])),
  )
}

/** New minus old, for the queries of both runs. */
export function compareWith(
  baseline: Readonly<Record<string, number>> | undefined,
  results: readonly QueryResult[],
): PairedDifference | undefined {
  if (baseline === undefined) return undefined
  const differences = Object.entries(ndcgByQuery(results)).flatMap(([id, ndcg]) => {
    const old = baseline[id]
    return old === undefined ? [] : [ndcg - old]
  })
  return pairedBootstrap(differences)
}
