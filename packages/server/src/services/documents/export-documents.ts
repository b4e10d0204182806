import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, EXPORT_MOMENT_MAX_MS } from '@aisle/contract'
import type { DocumentScan } from '../../ports/catalog/document-reader.ts'
import type { ServicePorts } from '../service-ports.ts'
import { matchingDocuments, type FilterPace } from './matching-documents.ts'
import { existingScan, Moments } from './moments.ts'
import { openView } from '../open-view.ts'

/** Bytes read and sent per turn: enough to be fast, few enough to let other work run in between. */
const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

export interface Export {
  /** Number of documents in it. */
  readonly docCount: number
  /** NDJSON. A caller that stops early must call `return`, so that old pages can be reused. */
  readonly chunks: AsyncGenerator<Buffer, void>
}

export interface ExportRequest {
  /** Absent or empty: all documents. */
  readonly filterBy?: string | undefined
  readonly order?: 'written' | 'inserted' | undefined
}

/**
 * All documents of a store, or those that meet a filter, as of now: lines `{"id":…,"data":{…}}`,
 * the data in the stored bytes. The next chunk is read on demand, so memory stays flat however slow
 * the reader is.
 *
 * Each read transaction lasts a minute at most, because the disk cannot reuse pages meanwhile. A
 * longer export continues from a newer state, after the last document sent. In the order of
 * writing, none is missed, and one that changes after it was sent appears again later. In the
 * order of insertion, each appears once.
 *
 * @param momentMaxMs how long one read transaction may last; tests use less
 * @throws ApiError store_not_found, invalid_filter, invalid_parameter, filter_timeout …
 */
export async function exportDocuments(
  ports: Pick<ServicePorts, 'reader' | 'backend' | 'clock'>,
  storeId: string,
  { filterBy, order = 'written' }: ExportRequest,
  momentMaxMs = EXPORT_MOMENT_MAX_MS,
  pace?: FilterPace,
): Promise<Export> {
  if (order === 'inserted' && !isAll(filterBy)) {
    const message = 'The order `inserted` is for all documents: omit `filter_by`'
    throw new ApiError('invalid_parameter', message, { param: 'order' })
  }
  const { content } = openView(ports, storeId)
  const moments = await Moments.begin(momentMaxMs, async (after) => {
    const scan =
      order === 'inserted'
        ? existingScan(await ports.reader.scanInserted(storeId, after))
        : await openScan(ports, storeId, filterBy, after?.docKey, pace)
    // After a swap of stores, the export would have a part of each.
    if (openView(ports, storeId).content === content) return scan
    scan.close()
    throw new ApiError('unavailable', 'Cannot continue: the store was swapped in the meantime', {
      retryAfterSeconds: 1,
    })
  })
  return { docCount: moments.docCount, chunks: chunksOf(moments) }
}

function isAll(filterBy: string | undefined): filterBy is undefined | '' {
  return filterBy === undefined || filterBy.trim() === ''
}

async function openScan(
  ports: Pick<ServicePorts, 'reader' | 'backend' | 'clock'>,
  storeId: string,
  filterBy: string | undefined,
  after: number | undefined,
  pace: FilterPace | undefined,
): Promise<DocumentScan> {
  const matching = isAll(filterBy)
    ? undefined
    : await matchingDocuments(ports, storeId, filterBy, pace)
  return existingScan(await ports.reader.scan(storeId, matching?.docKeys, after))
}

async function* chunksOf(moments: Moments): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const page = await moments.next(CHUNK_BYTES)
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

/** Stored JSON may span several lines, but its strings cannot contain a line feed. */
function onOneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(LINE_FEED) && !json.includes(CARRIAGE_RETURN)) return json
  return json.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte))
}
