import type { PutCollectionRequest } from '@aisle/contract'
import { parseFilter } from '../../domain/expressions/filter-parser.ts'
import { ANY_TIME } from '../../domain/values/date-literal.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { COLLECTION, putResource } from './resources.ts'

/** Creates or replaces a collection. @throws ApiError */
export function putCollection(
  ports: Pick<ServicePorts, 'writer' | 'resources' | 'backend'>,
  storeId: string,
  name: string,
  request: PutCollectionRequest,
  ifMatch?: string,
): Promise<string> {
  const { schema = NO_SCHEMA, analyzer } = openView(ports, storeId)
  parseFilter(request.filter_by, schema, analyzer, { dates: ANY_TIME })
  return putResource(ports, storeId, COLLECTION, name, request, ifMatch)
}
