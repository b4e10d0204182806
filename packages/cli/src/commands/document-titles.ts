import type { StoreClient } from '@aisle/client'
import { titleOf } from '../terminal/card.ts'
import { excerptOf } from '../terminal/excerpt.ts'

/** Documents fetched per search. */
const CHUNK_IDS = 100
/** Longer titles are cut to this length, in characters. */
const IDS_MAX = 1_000
const TITLE_MAX_CHARS = 40

/**
 * Titles of documents by id. Leaves out documents that do not exist, and looks up only the first
 * ids of a very long list.
 */
export async function titlesOf(
  store: StoreClient,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)].slice(0, IDS_MAX)
  const titles = new Map<string, string>()
  for (let at = 0; at < wanted.length; at += CHUNK_IDS) {
    const { hits } = await store.search({
      q: '*',
      filters: { id: wanted.slice(at, at + CHUNK_IDS) },
      per_page: CHUNK_IDS,
      highlight: false,
      apply_rules: false,
      analytics: false,
    })
    for (const hit of hits) {
      if ('document' in hit) titles.set(hit.id, shortTitle(hit.document as Record<string, unknown>))
    }
  }
  return titles
}

/** A title cut to fit a table cell. */
function shortTitle(document: Readonly<Record<string, unknown>>): string {
  const pieces = excerptOf([{ text: titleOf(document), isMarked: false }], TITLE_MAX_CHARS)
  return pieces.map(({ text }) => text).join('')
}
