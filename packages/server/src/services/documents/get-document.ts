import { ApiError } from '@aisle/contract'
import { andThen } from '../../ports/awaitable.ts'
import type { Awaitable } from '../../ports/awaitable.ts'
import { textOf } from '../../domain/json/json-scan.ts'
import type { ServicePorts } from '../service-ports.ts'

/**
 * @returns the JSON text `{id, data}` with the data as stored
 * @throws ApiError document_not_found
 */
export function getDocument(
  { reader }: ServicePorts,
  storeId: string,
  id: string,
): Awaitable<string> {
  return andThen(reader.get(storeId, id), (document) => {
    if (document === undefined) throw documentNotFound(id)
    const data = textOf(document.json, 0, document.json.length)
    return `{"id":${JSON.stringify(document.id)},"data":${data}}`
  })
}

const ID_SHOWN_MAX_CHARS = 100

export function documentNotFound(id: string): ApiError {
  const shown = id.length <= ID_SHOWN_MAX_CHARS ? id : `${id.slice(0, ID_SHOWN_MAX_CHARS)}…`
  return new ApiError('document_not_found', `There is no document of id ${JSON.stringify(shown)}`, {
    param: 'id',
  })
}
