import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY, type StoreKeys, type ThinClient } from '@aisle/testing'
import { rows } from './judged-set.ts'
import { mapConcurrently } from './run-queries.ts'

/**
 * Real words that a catalog lacks, and misspelt words that it has: both are unknown, and only the
 * second should be corrected. A search for a torch in a shop with only lanterns must not show touch
 * screens.
 */
export interface AbsentWord {
  readonly word: string
  /** With other words, as visitors would type it. */
  readonly query?: string
}

export interface MisspeltWord {
  readonly misspelling: string
  readonly correct: string
}

export interface AbsentReport {
  /** Words without a match in the catalog. */
  readonly absent: number
  /** ... that are corrected nevertheless, alone, and in a query. */
  readonly shown: readonly string[]
  readonly queries: number
  readonly shownInQuery: readonly string[]
  /** ... that are answered with a suggestion. */
  readonly asked: number
  readonly misspelt: number
  /** Misspelt words that are not corrected, and those whose first correction is another word. */
  readonly missed: readonly string[]
  readonly astray: readonly string[]
}

/** The folder of our words. */
const OWN_FOLDER = join(REPOSITORY, 'bench/relevance')

/** 200 words that the demo shop does not have. */
export function readAbsentWords(): AbsentWord[] {
  return rows(join(OWN_FOLDER, 'absent-words.tsv'))
    .slice(1)
    .map(([word = '', , query = '']) => ({ word, query }))
}

/** Misspelt words of the demo shop. */
export function readMisspeltWords(): MisspeltWord[] {
  return rows(join(OWN_FOLDER, 'misspelt-words.tsv'))
    .slice(1)
    .map(([misspelling = '', correct = '']) => ({ misspelling, correct }))
}

const ENGLISH_LENGTH_MIN = 4
/** Takes every n-th word. */
const ENGLISH_STEP = 3

/** English words of a list of misspellings: most catalogs lack most of them. */
export function readEnglishWords(folder: string): AbsentWord[] {
  const lines = readFileSync(join(folder, 'misspellings/birkbeck_d2.tsv'), 'utf8').split('\n')
  const words = new Set(lines.map((line) => line.split('\t')[1] ?? ''))
  return [...words]
    .filter((word) => word.length >= ENGLISH_LENGTH_MIN && /^[a-z]+$/.test(word))
    .filter((_, at) => at % ENGLISH_STEP === 0)
    .map((word) => ({ word }))
}

const QUIET = { per_page: 0, highlight: false, search_timeout_ms: 2_000 }

/** Skips words that the catalog has in some spelling. */
export async function absentReport(
  client: ThinClient,
  keys: StoreKeys,
  words: readonly AbsentWord[],
  misspelt: readonly MisspeltWord[],
): Promise<AbsentReport> {
  const isThere = async (word: string, exactly: Record<string, unknown> = {}) =>
    (await client.search(keys, { ...QUIET, ...exactly, q: word, typo_max: 0 })).found > 0
  const held = await mapConcurrently(words, 2, ({ word }) => isThere(word))
  const absent = words.filter((_, at) => !held[at])
  const alone = await mapConcurrently(absent, 2, async ({ word }) => {
    const answer = await client.search(keys, { ...QUIET, q: word })
    const { found, corrected_query: corrected = '?', did_you_mean: asked } = answer
    return { shown: found > 0 ? [`${word} (${corrected})`] : [], isAsked: asked !== undefined }
  })
  const queries = absent.flatMap(({ query }) => query ?? [])
  const inQuery = await mapConcurrently(queries, 2, async (query) => {
    const { corrected_query: corrected } = await client.search(keys, { ...QUIET, q: query })
    return corrected === undefined ? [] : [`${query} (${corrected})`]
  })
  const isReachable = await mapConcurrently(
    misspelt,
    2,
    async ({ misspelling, correct }) =>
      !(await isThere(misspelling)) && (await isThere(correct, { prefix_mode: 'off' })),
  )
  const reachable = misspelt.filter((_, at) => isReachable[at])
  const corrected = await mapConcurrently(reachable, 2, async ({ misspelling, correct }) => {
    const answer = await client.search(keys, { ...QUIET, q: misspelling })
    const { found, corrected_query: first = misspelling } = answer
    if (found === 0) return { missed: [`${misspelling} (${correct})`], astray: [] }
    // A plural of the intended word counts as that word.
    const isMeant = first.startsWith(correct) || correct.startsWith(first)
    return { missed: [], astray: isMeant ? [] : [`${misspelling} (${correct}, ${first})`] }
  })
  return {
    absent: absent.length,
    shown: alone.flatMap(({ shown }) => shown),
    queries: queries.length,
    shownInQuery: inQuery.flat(),
    asked: alone.filter(({ isAsked }) => isAsked).length,
    misspelt: reachable.length,
    missed: corrected.flatMap(({ missed }) => missed),
    astray: corrected.flatMap(({ astray }) => astray),
  }
}
