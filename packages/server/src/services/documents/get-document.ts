import { ApiError } from '@aisle/contract'
import { documentJson, documentTag } from '../../domain/documents/document-tag.ts'
import { membersNamed, shownPaths } from '../../domain/documents/nested-fields.ts'
import { spliceDocument, type SpliceOptions } from '../../domain/json/json-splice.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'

/** The JSON text `{id, data}` of a document. */
interface ShownDocument {
  readonly json: string
  /** Absent if fields are left out: it would tell whether they have changed. */
  readonly etag?: string
}

/**
 * @param omitted fields that are left out
 * @throws ApiError document_not_found
 */
export async function getDocument(
  ports: Pick<ServicePorts, 'reader' | 'backend'>,
  storeId: string,
  id: string,
  omitted: readonly string[],
): Promise<ShownDocument> {
  const shown = omitted.length === 0 ? undefined : membersWithout(ports, storeId, omitted)
  const document = await ports.reader.get(storeId, id)
  if (document === undefined) throw documentNotFound(id)
  if (shown === undefined) return { json: documentJson(document), etag: documentTag(document.json) }
  const json = spliceDocument(document.json, document.id, shown)
  return { json: documentJson({ id: document.id, json }) }
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
