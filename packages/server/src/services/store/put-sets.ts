import type { PutStopwordSetRequest, PutSynonymSetRequest } from '@aisle/contract'
import { Gradual, madeInTurns, type Steps, type YieldingWork } from '../../domain/turns/gradual.ts'
import { checkStopwords } from '../../domain/words/stopword-rules.ts'
import { checkSynonymItems } from '../../domain/words/synonym-rules.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'
import { putResource, STOPWORD_SET, SYNONYM_SET } from './resources.ts'

type PutPorts = Pick<ServicePorts, 'writer' | 'resources' | 'backend'>

/** Creates or replaces a synonym set. @throws ApiError */
export async function putSynonymSet(
  ports: PutPorts,
  storeId: string,
  name: string,
  request: PutSynonymSetRequest,
  ifMatch: string | undefined,
  work: YieldingWork,
): Promise<string> {
  const kept = new Gradual(() => keptSynonymSet(ports, storeId, request))
  await madeInTurns([kept], work)
  return putResource(ports, storeId, SYNONYM_SET, name, kept.value, ifMatch)
}

/** A synonym set as it is stored, in steps. @throws ApiError */
export function* keptSynonymSet(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  { items, default: isDefault = false }: PutSynonymSetRequest,
): Steps<object> {
  yield* checkSynonymItems(items, openView(ports, storeId).analyzer)
  return { items, default: isDefault }
}

/** Creates or replaces a stopword set. @throws ApiError */
export async function putStopwordSet(
  ports: PutPorts,
  storeId: string,
  name: string,
  request: PutStopwordSetRequest,
  ifMatch: string | undefined,
  work: YieldingWork,
): Promise<string> {
  const kept = new Gradual(() => keptStopwordSet(ports, storeId, request))
  await madeInTurns([kept], work)
  return putResource(ports, storeId, STOPWORD_SET, name, kept.value, ifMatch)
}

/** A stopword set as it is stored, in steps. @throws ApiError */
export function* keptStopwordSet(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  { stopwords, default: isDefault = false }: PutStopwordSetRequest,
): Steps<object> {
  yield* checkStopwords(stopwords, openView(ports, storeId).analyzer)
  return { stopwords, default: isDefault }
}
