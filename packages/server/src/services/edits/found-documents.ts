import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  ApiError,
  EDIT_DOCUMENTS_MAX,
  EDIT_SEARCH_DOCUMENTS_MAX,
  EXPORT_MOMENT_MAX_MS,
  PER_PAGE_MAX,
} from '@aisle/contract'
import type { StoredDocument } from '../../ports/catalog/document-reader.ts'
import { existingScan, Moments } from '../documents/moments.ts'
import { matchingDocuments, type FilterPace } from '../documents/matching-documents.ts'
import { takeText } from '../search/answer-writer.ts'
import { soloPace } from '../search/request-pace.ts'
import { search } from '../search/search.ts'
import type { ServicePorts } from '../service-ports.ts'

/** Bytes of documents that are read in one step. */
const PAGE_BYTES = 500_000
/** Milliseconds after which work in the background lets others run. */
const TURN_MS = 5

/** Which documents an edit is about; at least one of both. */
export interface Selection {
  readonly filterBy: string | undefined
  readonly q: string | undefined
}

export interface FoundDocuments {
  readonly found: number
  /** Probable mistakes in the filter. */
  readonly warnings: readonly string[]
  /** Pages of documents. Their JSON is valid until the next page. End it early, or read all. */
  readonly pages: AsyncGenerator<readonly StoredDocument[]>
}

/**
 * Finds documents as a search does, and reads them.
 *
 * @throws ApiError invalid_filter and related codes; invalid_parameter if there are too many
 */
export async function findDocuments(
  ports: ServicePorts,
  storeId: string,
  { filterBy, q }: Selection,
  pace: FilterPace = backgroundPace(),
): Promise<FoundDocuments> {
  if (q !== undefined && q.trim() !== '*') {
    const ids = await idsOfSearch(ports, storeId, q, filterBy)
    return { found: ids.length, warnings: [], pages: documentsOf(ports, storeId, ids) }
  }
  let docKeys: Float64Array | undefined
  let warnings: readonly string[] = []
  if (filterBy !== undefined) {
    const matching = await matchingDocuments(ports, storeId, filterBy, pace)
    docKeys = matching.docKeys
    warnings = matching.warnings
  }
  const moments = await Moments.begin(EXPORT_MOMENT_MAX_MS, async (after) =>
    existingScan(await ports.reader.scan(storeId, docKeys, after?.docKey)),
  )
  const found = docKeys?.length ?? moments.docCount
  if (found > EDIT_DOCUMENTS_MAX) {
    moments.close()
    throw tooMany(found, EDIT_DOCUMENTS_MAX, 'filter_by')
  }
  return { found, warnings, pages: pagesOf(moments) }
}

/** Work that nobody waits for: it often lets others run. */
export function backgroundPace(): FilterPace {
  let beganMs = performance.now()
  return {
    isDue: () => performance.now() - beganMs > TURN_MS,
    rest: async () => {
      await nextTurn()
      beganMs = performance.now()
    },
    begin: () => undefined,
  }
}

async function* pagesOf(moments: Moments): AsyncGenerator<readonly StoredDocument[]> {
  try {
    for (;;) {
      const page = await moments.next(PAGE_BYTES)
      if (page.length === 0) return
      yield page
      await nextTurn()
    }
  } finally {
    moments.close()
  }
}

async function* documentsOf(
  { reader }: ServicePorts,
  storeId: string,
  ids: readonly string[],
): AsyncGenerator<readonly StoredDocument[]> {
  for (const id of ids) {
    const document = await reader.get(storeId, id)
    if (document !== undefined) yield [document]
    await nextTurn()
  }
}

async function idsOfSearch(
  ports: ServicePorts,
  storeId: string,
  q: string,
  filterBy: string | undefined,
): Promise<string[]> {
  const ids = new Set<string>()
  // The shop's own work takes nothing from its quota of searches, and cached answers may be old.
  const trial = { nowMs: ports.clock.now() }
  for (let page = 1; ; page++) {
    const parameters = {
      q,
      page,
      per_page: PER_PAGE_MAX,
      return_fields: ['id'],
      hit_format: 'wrapped',
      // Every variant of a product, whatever the store groups by.
      group_by: [],
      apply_rules: false,
      analytics: false,
      ...(filterBy === undefined ? {} : { filter_by: filterBy }),
    }
    const { json, found, cutoff } = await search(ports, storeId, parameters, soloPace(), trial)
    if (cutoff) {
      const message = 'The search takes too long: use fewer words or a filter'
      throw new ApiError('filter_timeout', message, { param: 'q' })
    }
    if (found > EDIT_SEARCH_DOCUMENTS_MAX) throw tooMany(found, EDIT_SEARCH_DOCUMENTS_MAX, 'q')
    const { hits } = JSON.parse(takeText(json)) as { hits: { id: string }[] }
    for (const { id } of hits) ids.add(id)
    if (hits.length === 0 || page * PER_PAGE_MAX >= found) return [...ids]
    await nextTurn()
  }
}

function tooMany(found: number, max: number, param: string): ApiError {
  return new ApiError(
    'invalid_parameter',
    `Cannot edit ${found} documents at once: at most ${max}. Use a narrower filter`,
    { param },
  )
}
