import { setImmediate as nextTurn } from 'node:timers/promises'
import { EXPORT_MOMENT_MAX_MS } from '@aisle/contract'
import type { DocumentScan } from '../../ports/document-reader.ts'
import type { ServicePorts } from '../service-ports.ts'
import { matchingDocuments } from './matching-documents.ts'
import { Moments } from './moments.ts'
import { openView } from '../open-view.ts'

/** Bytes read and sent per turn: enough to be fast, few enough to let others run in between. */
const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

export interface Export {
  /** Documents that are in it. */
  readonly docCount: number
  /** NDJSON. A caller that stops early must end it, so that old pages can be reused. */
  readonly chunks: AsyncGenerator<Buffer, void>
}

/**
 * All documents of a store, or those that meet a filter, as they are at this moment: lines
 * `{"id":…,"data":{…}}`, the data in the bytes that were stored. The next chunk is read when it is
 * asked for, so memory stays flat however slow the reader is.
 *
 * A moment lasts a minute at most, since for as long the disk can use no page again. A longer
 * export goes on from a newer moment, behind the docKey that it has come to. A document that is
 * written gets a greater docKey, so none is missed; one that was exported before it was written
 * comes again, the newer version later.
 *
 * @param momentMaxMs how long one moment is kept; tests have less
 * @throws ApiError store_not_found, invalid_filter …
 */
export function exportDocuments(
  ports: ServicePorts,
  storeId: string,
  filterBy: string | undefined,
  momentMaxMs = EXPORT_MOMENT_MAX_MS,
): Export {
  const moments = new Moments(momentMaxMs, (after) => openScan(ports, storeId, filterBy, after))
  return { docCount: moments.docCount, chunks: chunksOf(moments) }
}

function openScan(
  ports: ServicePorts,
  storeId: string,
  filterBy: string | undefined,
  after: number,
): DocumentScan {
  const docKeys =
    filterBy === undefined || filterBy.trim() === ''
      ? undefined
      : matchingDocuments(ports, storeId, filterBy).docKeys
  if (docKeys === undefined) openView(ports, storeId)
  const scan = ports.reader.scan(storeId, docKeys, after)
  if (scan === undefined) throw new Error('The store went away within a turn')
  return scan
}

async function* chunksOf(moments: Moments): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const page = moments.next(CHUNK_BYTES)
      if (page.length === 0) return
      yield Buffer.concat(page.flatMap(({ id, json }) => lineOf(id, json)))
      await nextTurn()
    }
  } finally {
    moments.close()
  }
}

function lineOf(id: string, json: Uint8Array): Uint8Array[] {
  return [Buffer.from(`{"id":${JSON.stringify(id)},"data":`), onOneLine(json), END]
}

const END = Buffer.from('}\n')

/** Stored JSON may span several lines; its strings cannot contain a line feed. */
function onOneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(LINE_FEED) && !json.includes(CARRIAGE_RETURN)) return json
  return json.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte))
}
