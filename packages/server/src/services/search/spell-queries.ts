import { editDistance } from '@aisle/contract'
import {
  NEIGHBOUR_FREQUENCY_RATIO,
  neighbourDocFreqMax,
  type PlannedWord,
  type QuerySlot,
  type SearchPlan,
} from '@aisle/engine'
import type { Spelling } from '@aisle/suggestions'
import { correctQuery, replaceWords } from '../../domain/query/correct-query.ts'
import { doubtOf } from '../../domain/query/did-you-mean.ts'
import { stemsOf } from '../../domain/suggestions/suggestion-rules.ts'
import type { SearchBackend, SearchView } from '../../ports/search/search-backend.ts'
import { didYouMean } from './did-you-mean.ts'
import { planRequest } from './plan-context.ts'

/** A correction may need a correction too, for example if the catalog has a misspelling. */
const CORRECTIONS_MAX = 3
/** Time limit of one search. A request that waits for the answer has a separate deadline. */
const SPELL_TIMEOUT_MS = 1_000

/**
 * Applies our spelling rules to texts: returns what a search for each would return as
 * `corrected_query` or `did_you_mean`.
 *
 * @returns by text; undefined if time ran out; no entries without documents
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
 * The same for one text.
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

/**
 * A search may be typed incompletely, and matches prefixes. A suggestion is a complete text: it is
 * checked as such first, and corrected if a search would correct it, or if each word is in the
 * catalog or begins the intended one ("wireles").
 */
async function spellOnce(
  view: SearchView,
  q: string,
  deadlineMs: number,
): Promise<Spelling | undefined> {
  const whole = await spellAs('off', view, q, deadlineMs)
  if (whole === undefined || whole.isCertain) return whole
  const begun = await spellAs('always', view, q, deadlineMs)
  const { meant } = whole
  const isLikely = whole.isKnown || meant?.startsWith(q) === true
  return begun && { isCertain: false, meant: begun.meant ?? (isLikely ? meant : undefined) }
}

interface Read extends Spelling {
  /** Every word is in the catalog. */
  readonly isKnown: boolean
}

async function spellAs(
  prefixMode: 'always' | 'off',
  view: SearchView,
  q: string,
  deadlineMs: number,
): Promise<Read | undefined> {
  const { analyzer } = view
  const startMs = performance.now()
  const timeoutMaxMs = Math.max(0, Math.min(deadlineMs - startMs, SPELL_TIMEOUT_MS))
  // The matching documents do not matter, and matching any word is faster.
  const request = { q, per_page: 0, require_all_terms: false, prefix_mode: prefixMode }
  const planned = planRequest(view, request, { startMs, timeoutMaxMs }, 0)
  const { query, words, plan } = planned
  const outcome = await view.search(plan)
  const { expansions } = outcome
  if (outcome.cutoff || expansions.length < words.length) return undefined
  const isKnown = expansions.every(({ known }) => known)
  const commonForms = new Map<string, string>()
  if (prefixMode === 'off') {
    for (const [i, { known, corrections }] of expansions.entries()) {
      const word = words[i]!
      if (!known || word.stopword) continue
      const [correction] = corrections
      const common =
        correction === undefined
          ? await commonForm(view, plan, word)
          : await unlessWritten(view, plan, word, correction)
      if (common === 'cutoff') return undefined
      if (common !== undefined) commonForms.set(word.stem, common.form)
    }
  }
  const isCorrect = isKnown && expansions.every(({ corrections }) => corrections.length === 0)
  if (isCorrect && commonForms.size === 0) return { isCertain: true, isKnown, meant: undefined }
  const corrected = correctQuery(query, words, expansions)
  const doubt = doubtOf(query, words, expansions)
  // A word that is most likely not a misspelling does not count for a similar word.
  const isUnlikely = doubt !== undefined && doubt.typed === undefined
  const { text, cutoff } = isUnlikely
    ? { text: undefined, cutoff: false }
    : await didYouMean(view, planned, outcome)
  if (cutoff) return undefined
  const other = isUnlikely ? undefined : doubt?.meant.text
  const isSame = (one: string): boolean =>
    stemsOf(one, analyzer).join(' ') === stemsOf(q, analyzer).join(' ')
  // Another spelling of the same stems has the same results, and is the spelling of the catalog.
  const respelt = other !== undefined && isSame(other) ? other : undefined
  const best = text ?? corrected ?? respelt
  const last = best === undefined ? query : query.with(best)
  const meant = replaceWords(last, commonForms)
  return { isCertain: false, isKnown, meant: meant === q ? undefined : meant }
}

/** A shorter prefix begins too many words. */
const BEGINNING_MIN_CHARS = 3
const COMPLETIONS_READ = 16

/**
 * Returns the spelling of the catalog for a word in a rare form, if far more documents have the
 * same stem in a form that differs by one edit, and not as a plural does: "nike" for "nikee".
 */
async function commonForm(
  view: SearchView,
  plan: SearchPlan,
  { form, stem }: Pick<QuerySlot, 'form' | 'stem'>,
): Promise<{ readonly form: string } | 'cutoff' | undefined> {
  const chars = [...form]
  if (chars.length <= BEGINNING_MIN_CHARS) return undefined
  const sharedChars = Math.min(chars.length - 2, [...stem].length)
  const prefix = chars.slice(0, Math.max(BEGINNING_MIN_CHARS, sharedChars)).join('')
  const asked = { words: [], prefix, limit: COMPLETIONS_READ }
  const { completions, cutoff } = await view.complete(plan, asked)
  if (cutoff) return 'cutoff'
  const other = completions.find((one) => view.analyzer.stem(one.form) === stem)?.form
  if (other === undefined || other === form || isPlural(form, other)) return undefined
  if (editDistance(form, other) > 1) return undefined
  const few = neighbourDocFreqMax(await view.docCount())
  const own = await docCountOf(view, plan, { form, stem })
  if (own === undefined) return 'cutoff'
  if (own > few) return undefined
  const common = await docCountOf(view, plan, { form: other, stem })
  if (common === undefined) return 'cutoff'
  return common >= NEIGHBOUR_FREQUENCY_RATIO * Math.max(1, own) ? { form: other } : undefined
}

/**
 * Returns the correction of a word that is known only by its stem ("electical", with the stem of
 * "elect").
 */
async function unlessWritten(
  view: SearchView,
  plan: SearchPlan,
  { form, stem }: Pick<QuerySlot, 'form' | 'stem'>,
  correction: string,
): Promise<{ readonly form: string } | 'cutoff' | undefined> {
  const own = await docCountOf(view, plan, { form, stem })
  if (own === undefined) return 'cutoff'
  return own === 0 ? { form: correction } : undefined
}

/** Counts the documents with a word in exactly this form; undefined if time ran out. */
async function docCountOf(
  view: SearchView,
  plan: SearchPlan,
  word: PlannedWord,
): Promise<number | undefined> {
  const phrases = [...plan.phrases, { spellings: [[word]], inflected: false }]
  const counted = await view.complete({ ...plan, phrases }, { words: [], limit: 1 })
  return counted.cutoff ? undefined : counted.docCount
}

function isPlural(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long === `${short}s`
}
