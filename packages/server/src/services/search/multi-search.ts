import { ANSWER_MAX_CHARS, ApiError, QUERIES_PER_MULTI_SEARCH_MAX } from '@aisle/contract'
import type { Visitor } from '@aisle/event-log'
import { answerTooLarge } from './answer-size.ts'
import { takeText } from './answer-writer.ts'
import { soloPace } from './request-pace.ts'
import type { SearchPorts } from './asked-search.ts'
import { search, type SearchAnswer } from './search.ts'
import { unknownParameterWarnings } from '../parameter-warnings.ts'

export interface MultiSearchAnswer {
  readonly json: string
  /** Answers of the queries that succeeded. */
  readonly answers: readonly SearchAnswer[]
}

/**
 * Runs several searches in order, within the time limit of one. The error of a failed search
 * replaces its result.
 *
 * @param body the parsed JSON of the request
 * @param presentError returns the JSON text of an error
 * @param pace of the whole request, which rests between two searches
 * @param charge receives the number of searches before the first one; may throw
 * @throws ApiError if there are no queries, or too many
 */
export async function multiSearch(
  ports: SearchPorts,
  storeId: string,
  body: unknown,
  presentError: (error: unknown) => string,
  pace = soloPace(),
  charge: (searchCount: number) => void = () => undefined,
  visitor?: Visitor,
): Promise<MultiSearchAnswer> {
  const queries = readQueries(body)
  charge(queries.length)
  const results: string[] = []
  const answers: SearchAnswer[] = []
  let chars = 0
  for (const [i, query] of queries.entries()) {
    if (i > 0) await pace.rest()
    try {
      const answer = await search(ports, storeId, query, pace, undefined, visitor)
      const json = takeText(answer.json)
      chars += json.length
      if (chars > ANSWER_MAX_CHARS) throw answerTooLarge()
      answers.push(answer)
      results.push(json)
    } catch (error) {
      results.push(presentError(error))
    }
  }
  const unknown = Object.keys(body as object).filter((name) => name !== 'queries')
  const warnings =
    unknown.length === 0 ? '' : `,"warnings":${JSON.stringify(unknownParameterWarnings(unknown))}`
  return { json: `{"results":[${results.join(',')}]${warnings}}`, answers }
}

function readQueries(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_parameter', 'The body must be a JSON object with `queries`')
  }
  if (!Object.hasOwn(body, 'queries')) {
    throw new ApiError('missing_parameter', 'Parameter `queries` is required', { param: 'queries' })
  }
  const { queries } = body as { queries: unknown }
  if (
    Array.isArray(queries) &&
    queries.length >= 1 &&
    queries.length <= QUERIES_PER_MULTI_SEARCH_MAX
  ) {
    return queries
  }
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`queries\` must be a list of 1 to ${QUERIES_PER_MULTI_SEARCH_MAX} searches`,
    { param: 'queries' },
  )
}
