import type { PutStopwordSetRequest, PutSynonymSetRequest } from '@aisle/contract'
import { checkStopwords } from '../../domain/words/stopword-rules.ts'
import { checkSynonymItems } from '../../domain/words/synonym-rules.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'
import { putResource, STOPWORD_SET, SYNONYM_SET } from './resources.ts'

/** Replaces or makes a synonym set. @throws ApiError */
export function putSynonymSet(
  ports: ServicePorts,
  storeId: string,
  name: string,
  request: PutSynonymSetRequest,
): Promise<string> {
  checkSynonymItems(request.items, openView(ports, storeId).analyzer)
  const { items, default: isDefault = false } = request
  return putResource(ports, storeId, SYNONYM_SET, name, { items, default: isDefault })
}

/** Replaces or makes a stopword set. @throws ApiError */
export function putStopwordSet(
  ports: ServicePorts,
  storeId: string,
  name: string,
  request: PutStopwordSetRequest,
): Promise<string> {
  checkStopwords(request.stopwords, openView(ports, storeId).analyzer)
  const { stopwords, default: isDefault = false } = request
  return putResource(ports, storeId, STOPWORD_SET, name, { stopwords, default: isDefault })
}
