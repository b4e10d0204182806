import type { Spelling } from '@aisle/suggestions'
import { correctQuery } from '../../domain/query/correct-query.ts'
import { doubtOf } from '../../domain/query/did-you-mean.ts'
import { stemsOf } from '../../domain/suggestions/suggestion-rules.ts'
import type { SearchBackend, SearchView } from '../../ports/search-backend.ts'
import { didYouMean } from './did-you-mean.ts'
import { planRequest } from './plan-context.ts'

/** A correction may need a correction too: of a misspelling that the catalog has, for example. */
const CORRECTIONS_MAX = 3
const SPELL_TIMEOUT_MS = 100

/**
 * What our own spelling rules make of texts: what a search for each would call `corrected_query` or
 * `did_you_mean`.
 *
 * @returns by text; undefined: there was no time to find out; nothing at all without documents
 */
export async function spellQueries(
  backend: SearchBackend,
  storeId: string,
  texts: readonly string[],
): Promise<(Spelling | undefined)[] | undefined> {
  const view = backend.view(storeId)
  if (view?.schema === undefined) return undefined
  return await Promise.all(texts.map((text) => spellQuery(view, text)))
}

/**
 * The same of one text.
 *
 * @param view with a schema
 * @param deadlineMs by `performance.now()`
 */
export async function spellQuery(
  view: SearchView,
  text: string,
  deadlineMs = Infinity,
): Promise<Spelling | undefined> {
  const first = await spellOnce(view, text, deadlineMs)
  let last = first
  let meant = first?.meant
  for (let i = 1; i < CORRECTIONS_MAX && last?.meant !== undefined; i++) {
    last = await spellOnce(view, last.meant, deadlineMs)
    meant = last?.meant ?? meant
  }
  return first === undefined ? undefined : { ...first, meant }
}

async function spellOnce(
  view: SearchView,
  q: string,
  deadlineMs: number,
): Promise<Spelling | undefined> {
  const { analyzer } = view
  const startMs = performance.now()
  const timeoutMaxMs = Math.max(0, Math.min(deadlineMs - startMs, SPELL_TIMEOUT_MS))
  // Which documents match makes no difference, and any word is the quicker rule.
  const request = { q, per_page: 0, require_all_terms: false }
  const planned = planRequest(view, request, { startMs, timeoutMaxMs }, 0)
  const { query, words } = planned
  const outcome = await view.search(planned.plan)
  if (outcome.cutoff || outcome.expansions.length < words.length) return undefined
  const isCertain = outcome.expansions.every(
    ({ known, corrections }) => known && corrections.length === 0,
  )
  if (isCertain) return { isCertain, meant: undefined }
  const corrected = correctQuery(query, words, outcome.expansions)
  const doubt = doubtOf(query, words, outcome.expansions)
  // A word that is no misspelling by all likelihood is not counted for the word near it.
  const isUnlikely = doubt !== undefined && doubt.typed === undefined
  const { text, cutoff } = isUnlikely
    ? { text: undefined, cutoff: false }
    : await didYouMean(view, planned, outcome)
  if (cutoff) return undefined
  const meant = text ?? corrected ?? (isUnlikely ? undefined : respelt(stemsOf(q, analyzer)))
  return { isCertain, meant: meant === q ? undefined : meant }

  /** Another spelling of the same stems finds the same, and is how the catalog writes it. */
  function respelt(stems: readonly string[]): string | undefined {
    const other = doubt?.meant.text
    if (other === undefined) return undefined
    return stemsOf(other, analyzer).join(' ') === stems.join(' ') ? other : undefined
  }
}
