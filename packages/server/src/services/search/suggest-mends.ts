import {
  ANSWER_MAX_CHARS,
  CARD_ROLES,
  MISSED_MENDS_TRIED_MAX,
  type Mend,
  type SearchResponse,
} from '@aisle/contract'
import { exactJson } from '../../domain/json/json-exact.ts'
import { productCard } from '../../domain/store/product-card.ts'
import type { Resource } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { fitsRule, mendChange, type MendChange } from '../store/mend-change.ts'
import { draftResources } from '../store/relevance-draft.ts'
import { currentSettings } from '../store/store-settings.ts'
import { takeText } from './answer-writer.ts'
import { mendIdeas, type MendIdea } from './mend-ideas.ts'
import { withResources } from './view-with-resources.ts'
import { hasEnded, missedRow, ownTime, type MissedPorts } from './missed-searches.ts'
import type { RequestPace } from './request-pace.ts'
import { search } from './search.ts'

/** Products of a preview: a row of the dashboard. */
const SHOWN_PRODUCTS = 4

/**
 * Proposes mends of a missed search, each tried by a search that saves nothing. One that finds
 * nothing, or what the search finds now, is not proposed.
 *
 * @param query as reports show it
 * @returns JSON text
 * @throws ApiError
 */
export async function suggestMends(
  ports: MissedPorts,
  storeId: string,
  query: string,
  days: number | undefined,
  pace: RequestPace,
): Promise<string> {
  const row = await missedRow(ports, storeId, query, days)
  const own = ownTime(pace)
  const view = openView(ports, storeId, own)
  const all = await mendIdeas(ports, storeId, view, query, row, own)
  const ideas = fitsRule(query) ? all : all.filter(({ mend }) => mend.kind === 'synonym')
  const tried = ideas.slice(0, MISSED_MENDS_TRIED_MAX)
  const now = await searchMended(ports, storeId, query, undefined, own)
  const mends: string[] = []
  let cutoff = ideas.length > tried.length || now.cutoff
  let chars = now.json.length
  for (const idea of tried) {
    const { mend } = idea
    await own.rest()
    if (hasEnded(own) || chars > ANSWER_MAX_CHARS) {
      cutoff = true
      break
    }
    const change = mendChange(ports, storeId, query, searchedMend(mend))
    const result = await searchMended(ports, storeId, query, change, own)
    cutoff ||= result.cutoff
    // A redirect opens another page, also where the products are the same.
    const isSame = isSameResult(result, now) && mend.kind !== 'redirect'
    if (result.cutoff || result.found === 0 || isSame) continue
    chars += result.json.length
    mends.push(previewJson(idea, result))
  }
  return `{"query":${JSON.stringify(query)},"now":${now.json},"mends":[${mends.join(',')}],"cutoff":${cutoff}}`
}

/** Tries one mend of the caller's own making. @returns JSON text @throws ApiError */
export async function previewMend(
  ports: MissedPorts,
  storeId: string,
  query: string,
  mend: Mend,
  pace: RequestPace,
): Promise<string> {
  mendChange(ports, storeId, query, mend)
  const change = mendChange(ports, storeId, query, searchedMend(mend))
  return previewJson({ mend }, await searchMended(ports, storeId, query, change, pace))
}

/** A redirect shows the products that its page is about, if it is known which. */
function searchedMend(mend: Mend): Mend {
  const { kind, field, value } = mend
  if (kind !== 'redirect' || field === undefined || value === undefined) return mend
  return { kind: 'category', field, value }
}

interface Mended {
  /** A search response. */
  readonly json: string
  readonly found: number
  readonly cutoff: boolean
  /** Ids of the first products, as text. */
  readonly shown: string
}

async function searchMended(
  ports: MissedPorts,
  storeId: string,
  q: string,
  change: MendChange | undefined,
  pace: RequestPace,
): Promise<Mended> {
  const view = openView(ports, storeId, pace)
  const parameters = {
    q,
    per_page: SHOWN_PRODUCTS,
    group_by: [],
    return_fields: cardFields(view),
    analytics: false,
  }
  const puts = change === undefined ? [] : [draftOf(change)]
  const draft = draftResources(view.resources, { settings: (given) => given, puts, removes: [] })
  const backend = change === undefined ? ports.backend : withResources(ports.backend, draft)
  const trial = { nowMs: ports.clock.now() }
  const answer = await search({ ...ports, backend }, storeId, parameters, pace, trial)
  const json = takeText(answer.json)
  const { hits } = JSON.parse(json) as Pick<SearchResponse, 'hits'>
  const { found, cutoff } = answer
  return { json, found, cutoff, shown: JSON.stringify(hits.map(({ id }) => id)) }
}

/** The same first products, and as many others. */
function isSameResult(a: Mended, b: Mended): boolean {
  return a.shown === b.shown && a.found === b.found
}

/**
 * A synonym is a separate set in the draft: those of a large set need not be compiled again, and
 * it makes no difference to a search.
 */
function draftOf(change: MendChange): Resource {
  if (change.kind === 'rule') return { kind: 'rule', name: DRAFT_NAME, json: change.json }
  const json = exactJson({ items: [change.item], default: true })
  return { kind: 'synonymSet', name: DRAFT_NAME, json }
}

/** No saved resource can have this name. */
const DRAFT_NAME = '(preview)'

/** The fields that a product card shows, so that previews are small. */
function cardFields({ schema = NO_SCHEMA, resources }: SearchView): string[] {
  const { card } = productCard(schema, currentSettings(resources).settings.product_card)
  const names = [...CARD_ROLES.flatMap((role) => card[role] ?? []), ...card.metadata]
  return ['id', ...new Set(names)]
}

function previewJson(
  { mend, ...evidence }: Partial<MendIdea> & Pick<MendIdea, 'mend'>,
  { json, found }: Mended,
): string {
  const why = Object.entries(evidence).map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
  return `{"mend":${exactJson(mend)},"finds":${found},${why.join('')}"result":${json}}`
}
