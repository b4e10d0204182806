import { createHash, createHmac } from 'node:crypto'
import type { SourceRequest } from '../../ports/catalog/source-readings.ts'
import type { SourcePorts } from './source-ports.ts'
import type { SourceRecord } from './source-record.ts'
import { secretsOf } from './source-secrets.ts'

/** What a reading of a source is asked for, before its schema and its position. */
export function readingRequest(
  ports: Pick<SourcePorts, 'addressKey'>,
  source: SourceRecord,
): Pick<SourceRequest, 'connection' | 'secrets' | 'owner' | 'mapping'> & { idColumn: string } {
  const { connection, mapping, idColumn } = source
  return {
    connection,
    secrets: secretsOf(ports, source),
    owner: ownerOf(ports, source),
    mapping,
    idColumn,
  }
}

/** Another installation, and another store of the same name, is another owner. */
function ownerOf(
  { addressKey }: Pick<SourcePorts, 'addressKey'>,
  { id, storeCreatedAt }: SourceRecord,
): string {
  const text = JSON.stringify(['owner of a source', id, storeCreatedAt])
  return createHmac('sha256', addressKey).update(text).digest('hex')
}

/** A digest of all that decides, besides the source, which documents are written. */
export function basisOf(source: SourceRecord, schema: object, content: string): string {
  const { connection, mapping, idColumn } = source
  return createHash('sha256')
    .update(JSON.stringify([connection, mapping, idColumn, schema, content]))
    .digest('base64')
}
