import { PER_PAGE_MAX } from '@aisle/contract'
import { queryVector, spaceField, type VectorSpace } from '@aisle/engine'
import { embeddedText } from '../../domain/documents/embedded-text.ts'
import { toIndexDocument } from '../../domain/documents/indexed-document.ts'
import type { Embedder } from '../../ports/search/embedder.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { planRequest } from './plan-context.ts'
import { partOf, type RequestPace } from './request-pace.ts'

/** The vectors that serve searches of a store, and the model that makes them. */
export interface ServingModel {
  readonly space: VectorSpace
  readonly embedder: Embedder
}

/** @returns undefined if there are no vectors yet, or the installation has another model now */
export function servingModel(
  { embedders }: Pick<ServicePorts, 'embedders'>,
  { schema }: Pick<SearchView, 'schema'>,
): ServingModel | undefined {
  const space = schema?.spaces?.[0]
  const embedder = space && embedders.get(space.embedder)
  if (space === undefined || embedder?.fingerprint !== space.fingerprint) return undefined
  return { space, embedder }
}

/** Keys of the products whose vectors are nearest to another, the nearest first. */
export async function nearestKeys(
  view: SearchView,
  space: VectorSpace,
  vector: Float32Array,
  most: number,
  pace: RequestPace,
): Promise<number[]> {
  await pace.rest()
  const request = { q: '*', per_page: Math.min(most, PER_PAGE_MAX), group_by: [] }
  const { plan } = planRequest(view, request, partOf(pace), 0)
  const field = spaceField(space)
  const { hits } = await view.search({
    ...plan,
    pins: [],
    sort: [{ kind: 'similarity', field, vector: queryVector(vector, 'cosine'), descending: true }],
  })
  return hits.map(({ docKey }) => docKey)
}

/** A product with what the model has read of it. */
export interface ReadProduct {
  readonly id: string
  readonly text: string
}

/** In the order of their keys, without those that are gone. */
export async function readProducts(
  { reader }: Pick<ServicePorts, 'reader'>,
  storeId: string,
  view: SearchView,
  space: VectorSpace,
  keys: readonly number[],
): Promise<ReadProduct[]> {
  const { schema = NO_SCHEMA } = view
  const documentOf = await reader.fetch(storeId, keys, view.content)
  return keys.flatMap((docKey) => {
    const document = documentOf(docKey)
    if (document === undefined) return []
    const { values } = toIndexDocument(document, schema)
    return [{ id: document.id, text: embeddedText(values, schema, space.fields) }]
  })
}

/** The similarity of two vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
