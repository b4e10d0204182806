import type { PutStopwordSetRequest, PutSynonymSetRequest } from '@aisle/contract'
import { checkStopwords } from '../../domain/words/stopword-rules.ts'
import { checkSynonymItems } from '../../domain/words/synonym-rules.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'
import { putResource, STOPWORD_SET, SYNONYM_SET } from './resources.ts'

type PutPorts = Pick<ServicePorts, 'writer' | 'resources' | 'backend'>

/** Creates or replaces a synonym set. @throws ApiError */
export function putSynonymSet(
  ports: PutPorts,
  storeId: string,
  name: string,
  request: PutSynonymSetRequest,
  ifMatch?: string,
): Promise<string> {
  const kept = keptSynonymSet(ports, storeId, request)
  return putResource(ports, storeId, SYNONYM_SET, name, kept, ifMatch)
}

/** A synonym set as it is stored. @throws ApiError */
export function keptSynonymSet(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  { items, default: isDefault = false }: PutSynonymSetRequest,
): object {
  checkSynonymItems(items, openView(ports, storeId).analyzer)
  return { items, default: isDefault }
}

/** Creates or replaces a stopword set. @throws ApiError */
export function putStopwordSet(
  ports: PutPorts,
  storeId: string,
  name: string,
  request: PutStopwordSetRequest,
  ifMatch?: string,
): Promise<string> {
  const kept = keptStopwordSet(ports, storeId, request)
  return putResource(ports, storeId, STOPWORD_SET, name, kept, ifMatch)
}

/** A stopword set as it is stored. @throws ApiError */
export function keptStopwordSet(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  { stopwords, default: isDefault = false }: PutStopwordSetRequest,
): object {
  checkStopwords(stopwords, openView(ports, storeId).analyzer)
  return { stopwords, default: isDefault }
}
