import type { PutStopwordSetRequest, PutSynonymSetRequest } from '@aisle/contract'
import { checkStopwords } from '../domain/stopword-rules.ts'
import { checkSynonymItems } from '../domain/synonym-rules.ts'
import type { Catalog } from './catalog.ts'
import { openView } from './plan-context.ts'
import { putResource, STOPWORD_SET, SYNONYM_SET } from './resources.ts'

/** Replaces or makes a synonym set. @throws ApiError */
export function putSynonymSet(
  catalog: Catalog,
  storeId: string,
  name: string,
  request: PutSynonymSetRequest,
): Promise<string> {
  checkSynonymItems(request.items, openView(catalog, storeId).analyzer)
  const { items, default: isDefault = false } = request
  return putResource(catalog, storeId, SYNONYM_SET, name, { items, default: isDefault })
}

/** Replaces or makes a stopword set. @throws ApiError */
export function putStopwordSet(
  catalog: Catalog,
  storeId: string,
  name: string,
  request: PutStopwordSetRequest,
): Promise<string> {
  checkStopwords(request.stopwords, openView(catalog, storeId).analyzer)
  const { stopwords, default: isDefault = false } = request
  return putResource(catalog, storeId, STOPWORD_SET, name, { stopwords, default: isDefault })
}
