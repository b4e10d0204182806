import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ProductPlace } from '../opensearch/product-requests.ts'
import { CountedWords } from './counted-words.ts'
import { searchProducts, type Bucket, type Query, type SearchAnswer } from './product-searches.ts'
import type { Question, WordPattern } from './question.ts'
import { anyOf, wordsLike } from './row-query.ts'

/** One search, and how its response answers the questions that it was built for. */
export interface Asked {
  readonly body: object
  readonly otherBody?: (() => object) | undefined
  read(answer: SearchAnswer): readonly (readonly [Question<unknown>, unknown])[]
}

/** Responses to searches, and answers to the questions asked in the same request. */
export interface AnswersBeside {
  readonly answers: readonly SearchAnswer[]
  readonly beside: readonly SearchAnswer[]
}

/**
 * Runs searches and further ones in one request.
 * @throws ClusterError
 */
export async function askBeside(
  cluster: ClusterConnection,
  place: ProductPlace,
  searches: readonly object[],
  beside: readonly Asked[],
  deadlineMs: number | undefined,
): Promise<AnswersBeside> {
  const all = await searchProducts(
    cluster,
    place,
    [...searches, ...beside.map(({ body }) => body)],
    { deadlineMs, otherBody: (at) => beside[at - searches.length]?.otherBody?.() },
  )
  return { answers: all.slice(0, searches.length), beside: all.slice(searches.length) }
}

export function askedAlone(question: Question<unknown>): Asked {
  return {
    body: question.body(),
    otherBody: question.otherBody,
    read: (answer) => [[question, question.read(answer)]],
  }
}

/** Maximum of clauses in one search; the cluster's limit is 1,024. */
const CLAUSES_MAX = 500

/** Whether an answer says that no document has what a question asks for. */
export function isNothing({ matching }: Question<unknown>, value: unknown): boolean {
  return (
    matching !== undefined && (value === 0 || (value instanceof CountedWords && value.size === 0))
  )
}

/**
 * One search that counts what probably has no documents. It costs twice as much as
 * `askedForNothing`, but has the answers if there are some.
 */
export function countedTogether(questions: readonly Question<unknown>[]): Asked[] {
  return inParts(questions).map((some) => {
    const queries = some.map(({ query }) => query)
    return {
      body: {
        size: 0,
        track_total_hits: false,
        query: anyOf(queries),
        aggs: { each: { filters: { filters: queries } } },
      },
      read: ({ aggregations }) => {
        const buckets = (aggregations?.['each']?.buckets ?? []) as readonly Bucket[]
        return some.map(({ question }, at) => [question, buckets[at]?.doc_count ?? 0])
      },
    }
  })
}

interface Matching {
  readonly question: Question<unknown>
  readonly query: Query
}

/** The questions with their queries, in parts that the cluster takes. */
function inParts(questions: readonly Question<unknown>[]): Matching[][] {
  const parts: Matching[][] = []
  let room = 0
  for (const question of questions) {
    const query = question.matching!()
    const clauses = 1 + clausesOf(query)
    if (clauses > room) {
      parts.push([])
      room = CLAUSES_MAX
    }
    parts.at(-1)!.push({ question, query })
    room -= clauses
  }
  return parts
}

/** Clauses of a query at any depth; words side by side have dozens. */
function clausesOf(query: unknown): number {
  if (typeof query !== 'object' || query === null) return 0
  const own = Array.isArray(query) ? query.length : 0
  return Object.values(query).reduce((sum: number, one) => sum + clausesOf(one), own)
}

/**
 * One search for everything that probably does not exist. If it finds nothing, none of it exists;
 * otherwise it answers none of the questions.
 */
export function askedForNothing(questions: readonly Question<unknown>[]): Asked[] {
  return inParts(questions).map((some) => {
    const query = anyOf(withOnePattern(some))
    return {
      body: { size: 0, track_total_hits: 1, query },
      read: ({ hits }) =>
        (hits.total?.value ?? 0) > 0
          ? []
          : some.map(({ question }) => [question, question.none] as const),
    }
  })
}

/**
 * Maximum of characters of patterns in one, and of patterns. The cluster limits a regular
 * expression to 1,000 characters, and the work of compiling it to 10,000 steps: about the product
 * of these two.
 */
const PATTERN_CHARS_MAX = 400
const PATTERNS_MAX = 8

/**
 * Returns the queries of questions, with one for many patterns: the cluster compares all words with
 * a pattern that may begin with any letter, which takes as long for several of them at once.
 */
function withOnePattern(some: readonly Matching[]): Query[] {
  const queries: Query[] = []
  const parts: WordPattern[][] = []
  let chars = Infinity
  for (const { question, query } of some) {
    const { pattern } = question
    if (pattern === undefined) {
      queries.push(query)
      continue
    }
    chars += pattern.rest.length
    if (chars > PATTERN_CHARS_MAX || parts.at(-1)!.length === PATTERNS_MAX) {
      parts.push([])
      chars = pattern.rest.length
    }
    parts.at(-1)!.push(pattern)
  }
  for (const part of parts) {
    const rests = part.map(({ rest }) => rest)
    queries.push(wordsLike(part[0]!.beginning, rests))
  }
  return queries
}
