import { ApiError, type VectorQuery } from '@aisle/contract'
import { DeadlineReached } from '@aisle/engine'
import { vectorOf } from '../../domain/documents/stored-value.ts'
import { requireVector } from '../../domain/plan/plan-vector.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { ReadSearch } from './read-search.ts'
import { deadlineOf, type TimeLimit } from './request-pace.ts'

/** `withVectorOf` for a search. */
export async function withLikeness(
  ports: Pick<ServicePorts, 'reader'>,
  storeId: string,
  view: SearchView,
  read: ReadSearch,
  pace: TimeLimit,
): Promise<ReadSearch> {
  return { ...read, request: await withVectorOf(ports, storeId, view, read.request, pace) }
}

/**
 * Completes a request for documents like another with the vector of that one.
 *
 * @throws ApiError unknown_field; invalid_parameter if it gives a vector too, or the document has
 *   none; document_not_found if there is no document that the caller may see; unavailable if the
 *   filter of a token takes longer than the request may
 */
export async function withVectorOf<T extends { vector?: VectorQuery | undefined }>(
  { reader }: Pick<ServicePorts, 'reader'>,
  storeId: string,
  view: SearchView,
  request: T,
  pace: TimeLimit,
): Promise<T> {
  const { vector } = request
  if (vector?.like === undefined) return request
  if (vector.values !== undefined) {
    throw new ApiError('invalid_parameter', '`vector` takes `values` or `like`, not both.', {
      param: 'vector.like',
    })
  }
  const { schema = NO_SCHEMA } = view
  const { field } = requireVector(schema, vector.field)
  const { like } = vector
  const docKey = schema === NO_SCHEMA ? undefined : await visibleKey(view, like, deadlineOf(pace))
  const documentOf = await reader.fetch(storeId, docKey === undefined ? [] : [docKey], view.content)
  const document = docKey === undefined ? undefined : documentOf(docKey)
  if (document === undefined) {
    throw new ApiError('document_not_found', `There is no document ${JSON.stringify(like)}.`, {
      param: 'vector.like',
    })
  }
  const values = vectorOf(document.json, field, schema)
  if (values !== undefined) return { ...request, vector: { ...vector, values } }
  throw new ApiError(
    'invalid_parameter',
    `Document ${JSON.stringify(like)} has no vector in field \`${field.name}\`.`,
    { param: 'vector.like' },
  )
}

/** The key of a document that the caller may see; undefined: there is none. */
async function visibleKey(
  view: SearchView,
  id: string,
  deadlineMs: number,
): Promise<number | undefined> {
  try {
    const [docKey] = await view.matchingKeys({ kind: 'ids', ids: [id] }, deadlineMs)
    return docKey
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    throw new ApiError(
      'unavailable',
      'Finding the document of `vector.like` took too long: try again',
      {
        retryAfterSeconds: 1,
      },
    )
  }
}
