import {
  isArrayType,
  neighbourDocFreqMax,
  type Completion,
  type CompletionOutcome,
  type Schema,
  type SearchPlan,
} from '@aisle/engine'
import type { Spelling } from '@aisle/suggestions'
import { rowOf } from '../../domain/plan/plan-conditions.ts'
import { conditionsOf } from '../../domain/query/alternative-queries.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { RequestPace } from './request-pace.ts'
import { spellQuery } from './spell-queries.ts'

/** A query whose last word is being typed. */
export interface UnfinishedQuery {
  /** Text before the last word. */
  readonly before: string
  /** The other words, as in a `CompletionRequest`. */
  readonly words: readonly (readonly string[])[]
  /** The folded beginning of the last word. */
  readonly prefix: string
  /** Maximum number of completions to return. */
  readonly limit: number
}

export interface CompletedQueries extends CompletionOutcome {
  /** Text before the completed word: as given, or corrected. */
  readonly before: string
}

/** Number of extra candidates, since some are not adjacent words, or misspelt. */
const SPARE_CANDIDATES = 6
/** Number of rows counted between two checks of the time. */
const ROWS_PER_CHECK = 4
/**
 * Share of the documents of the best completion, or of the word as typed; rarer words are misspelt
 * or cut off.
 */
const SHARE_MIN = 0.01

/**
 * Completes the last word of a query from words in names of things. Descriptive texts are used only
 * for words that no name contains. A completion is a piece of a name: the words are adjacent in a
 * name, if there is one, or at least the completed word and the one before it; and none of them is
 * a misspelling of the catalog.
 */
export async function completeWord(
  view: SearchView,
  plan: SearchPlan,
  query: UnfinishedQuery,
  pace?: Pick<RequestPace, 'isDue' | 'rest'>,
): Promise<CompletedQueries> {
  const { before, words } = await corrected(view, plan, query)
  const { prefix, limit } = query
  const request = { words, prefix, limit: limit + SPARE_CANDIDATES }
  const names = view.schema && nameFields(view.schema, plan)
  const named = names && (await view.complete(plan, { ...request, fields: names }))
  const isNamed = named !== undefined && (named.docCount > 0 || named.cutoff)
  const fields = isNamed ? names : undefined
  const found = isNamed ? named : await view.complete(plan, request)
  if (found.completions.length === 0) return { ...found, before }

  const stem = view.analyzer.stem(prefix)
  const typed = await view.complete(plan, {
    words: [...words, [stem]],
    limit: 1,
    ...(fields === undefined ? {} : { fields }),
  })
  const rows = await inRows(view, rowPlan(plan, fields), before, words, found.completions, pace)
  const docCountMin = SHARE_MIN * Math.max(typed.docCount, rows[0]?.docCount ?? 0)
  const completions: Completion[] = []
  for (const one of rows) {
    if (completions.length === limit || one.docCount < docCountMin) break
    if (!(await isMisspelt(view, one, plan.deadlineMs))) completions.push(one)
  }
  return { ...found, before, completions }
}

/** The words before the last one in their correct spelling, with their conditions. */
async function corrected(
  view: SearchView,
  plan: SearchPlan,
  { before, words }: UnfinishedQuery,
): Promise<Pick<UnfinishedQuery, 'before' | 'words'>> {
  const text = before.trim()
  if (text === '' || view.schema === undefined) return { before, words }
  const meant = (await spellingOf(view, view.schema, text, plan.deadlineMs))?.meant
  if (meant === undefined) return { before, words }
  const { analyzer } = view
  return {
    before: before.replace(text, () => meant),
    words: conditionsOf(meant, analyzer).filter(
      (stems) => !stems.every((one) => analyzer.isStopword(one)),
    ),
  }
}

/** Counts rows in the given fields only. */
function rowPlan(plan: SearchPlan, fields: readonly boolean[] | undefined): SearchPlan {
  if (fields === undefined) return plan
  const fieldWeights = plan.fieldWeights.map((weight, field) =>
    fields[field] === true ? weight : 0,
  )
  return { ...plan, fieldWeights }
}

/** Returns the completions that follow the words before, counted in the names with both. */
async function inRows(
  view: SearchView,
  plan: SearchPlan,
  before: string,
  words: UnfinishedQuery['words'],
  completions: readonly Completion[],
  pace: Pick<RequestPace, 'isDue' | 'rest'> | undefined,
): Promise<readonly Completion[]> {
  const { analyzer } = view
  const forms = analyzer.analyze(before).filter(({ kind }) => kind !== 'joined')
  const last = forms.at(-1)
  if (last === undefined) return completions
  const counted = async (start: string, inflected: boolean): Promise<Completion[]> => {
    const rows: Completion[] = []
    for (let i = 0; i < completions.length; i += ROWS_PER_CHECK) {
      if (pace?.isDue() === true) await pace.rest()
      const some = completions.slice(i, i + ROWS_PER_CHECK).map(async ({ form }) => {
        const row = rowOf(`${start} ${form}`, analyzer, inflected)
        if (row === undefined) return { form, docCount: 0 }
        const rowed = { ...plan, phrases: [...plan.phrases, row] }
        const { docCount } = await view.complete(rowed, { words, limit: 1 })
        return { form, docCount }
      })
      rows.push(...(await Promise.all(some)))
    }
    return rows
      .filter(({ docCount }) => docCount > 0)
      .toSorted((a, b) => b.docCount - a.docCount || (a.form < b.form ? -1 : 1))
  }
  const start = before.slice(last.start)
  // Each is tried only if the one before has no result.
  const whole = await counted(before, false)
  if (whole.length > 0) return whole
  const ofTwo = forms.length === 1 ? whole : await counted(start, false)
  return ofTwo.length > 0 ? ofTwo : await counted(start, true)
}

/**
 * Whether our own spelling rules would correct a word that few documents have. A spelling that the
 * time did not suffice to check is not taken for right.
 */
async function isMisspelt(
  view: SearchView,
  { form, docCount }: Completion,
  deadlineMs: number | undefined,
): Promise<boolean> {
  if (view.schema === undefined || docCount > neighbourDocFreqMax(await view.docCount()))
    return false
  const spelling = await spellingOf(view, view.schema, form, deadlineMs)
  return spelling === undefined || spelling.meant !== undefined
}

/** The spelling of a text, cached until the documents change; undefined if the time ran out. */
async function spellingOf(
  view: SearchView,
  schema: Schema,
  text: string,
  deadlineMs: number | undefined,
): Promise<Spelling | undefined> {
  let spelt = speltTexts.get(schema)
  if (spelt?.version !== view.version)
    speltTexts.set(schema, (spelt = { version: view.version, known: new Map() }))
  const key = `${view.scope ?? ''}\n${text}`
  const before = spelt.known.get(key)
  if (before !== undefined) return before
  const spelling = await spellQuery(view, text, deadlineMs)
  if (spelling !== undefined && spelt.known.size < REMEMBERED_MAX) spelt.known.set(key, spelling)
  return spelling
}

/** Number of cached texts of a store, until its documents change. */
const REMEMBERED_MAX = 10_000

interface SpeltTexts {
  readonly version: number
  readonly known: Map<string, Spelling>
}

const speltTexts = new WeakMap<Schema, SpeltTexts>()

/** Undefined if the schema does not distinguish names from texts. */
function nameFields({ fields }: Schema, { titleField, fieldWeights }: SearchPlan) {
  if (titleField < 0 || fieldWeights[titleField] === 0) return undefined
  return fields.map(
    ({ type, facet, sort }, ordinal) =>
      ordinal === titleField || facet || sort || isArrayType(type),
  )
}
