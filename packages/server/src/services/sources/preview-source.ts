import { SOURCE_PREVIEW_ROWS, type PreviewSourceRequest, type SourcePreview } from '@aisle/contract'
import { describeSchema } from '../store/change-schema.ts'
import { readConnection, readSecrets, recipientOf } from './source-config.ts'
import type { SourcePorts } from './source-ports.ts'
import { secretsOf } from './source-secrets.ts'
import { findSource } from './sources.ts'

/** Milliseconds that a preview may take. */
const PREVIEW_MAX_MS = 30_000

/**
 * Reads the first rows of a source that need not be stored, and changes nothing.
 *
 * @throws ApiError source_unreadable, source_not_found, store_not_found, invalid_parameter
 */
export async function previewSource(
  ports: SourcePorts,
  storeId: string,
  request: PreviewSourceRequest,
): Promise<SourcePreview> {
  const connection = readConnection(request.connection)
  const schema = await describeSchema(ports, storeId)
  const secrets =
    readSecrets(connection.kind, request.secrets) ??
    (await storedSecrets(ports, storeId, request.source, recipientOf(connection)))
  const { mapping = {}, id_column: idColumn, rows = SOURCE_PREVIEW_ROWS } = request
  const asked = { connection, secrets, mapping, idColumn, schema, owner: '', isTrial: true }
  return ports.sources.preview(asked, rows, AbortSignal.timeout(PREVIEW_MAX_MS))
}

/** They are sent only to the server that they were entered for. */
async function storedSecrets(
  ports: SourcePorts,
  storeId: string,
  name: string | undefined,
  recipient: string,
): Promise<Readonly<Record<string, string>>> {
  if (name === undefined) return {}
  const source = await findSource(ports, storeId, name)
  return recipientOf(source.connection) === recipient ? secretsOf(ports, source) : {}
}
