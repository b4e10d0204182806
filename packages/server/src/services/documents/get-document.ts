import { ApiError } from '@aisle/contract'
import { textOf } from '../../domain/json/json-scan.ts'
import { membersNamed, shownPaths } from '../../domain/documents/nested-fields.ts'
import { spliceDocument, type SpliceOptions } from '../../domain/json/json-splice.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'

/**
 * @param omitted fields that are left out
 * @returns the JSON text `{id, data}` with the data as stored
 * @throws ApiError document_not_found
 */
export async function getDocument(
  ports: Pick<ServicePorts, 'reader' | 'backend'>,
  storeId: string,
  id: string,
  omitted: readonly string[],
): Promise<string> {
  const shown = omitted.length === 0 ? undefined : membersWithout(ports, storeId, omitted)
  const document = await ports.reader.get(storeId, id)
  if (document === undefined) throw documentNotFound(id)
  const json =
    shown === undefined ? document.json : spliceDocument(document.json, document.id, shown)
  const data = textOf(json, 0, json.length)
  return `{"id":${JSON.stringify(document.id)},"data":${data}}`
}

function membersWithout(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  omitted: readonly string[],
): SpliceOptions {
  const { schema = NO_SCHEMA } = openView(ports, storeId)
  const exclude = membersNamed(omitted, schema)
  return { withId: false, exclude, paths: shownPaths(undefined, exclude, schema) }
}

const ID_SHOWN_MAX_CHARS = 100

export function documentNotFound(id: string): ApiError {
  const shown = id.length <= ID_SHOWN_MAX_CHARS ? id : `${id.slice(0, ID_SHOWN_MAX_CHARS)}…`
  return new ApiError(
    'document_not_found',
    `There is no document with id ${JSON.stringify(shown)}`,
    {
      param: 'id',
    },
  )
}
