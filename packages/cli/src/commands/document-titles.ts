import type { StoreClient } from '@aisle/client'
import { titleOf } from '../terminal/card.ts'
import { excerptOf } from '../terminal/excerpt.ts'

/** Documents of one search. */
const CHUNK_IDS = 100
/** Longer titles are cut here. */
const IDS_MAX = 1_000
const TITLE_MAX_CHARS = 40

/**
 * What documents are called, by id. Documents that the store does not have are left out; of very
 * many ids only the first are looked up.
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

/** A title that fits into a table. */
function shortTitle(document: Readonly<Record<string, unknown>>): string {
  const pieces = excerptOf([{ text: titleOf(document), isMarked: false }], TITLE_MAX_CHARS)
  return pieces.map(({ text }) => text).join('')
}
