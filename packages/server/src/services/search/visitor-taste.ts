import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  CATALOG_SHARE_REMEMBERED_MS,
  CATALOG_SHARES_REMEMBERED_MAX,
  CROWD_REMEMBERED_MS,
  PERSONALIZE_BUDGET_MS,
  PERSONALIZE_LIMIT_DEFAULT,
  TASTE_REMEMBERED_MS,
  TASTES_REMEMBERED_MAX,
  type SearchParameters,
} from '@aisle/contract'
import type { FilterNode, SearchPlan } from '@aisle/engine'
import type { Visitor } from '@aisle/event-log'
import {
  crowdShare,
  dayOf,
  leaningsOf,
  othersOf,
  readQuery,
  seenUntil,
  TASTE_DOCUMENTS_MIN,
  type CrowdDocument,
  type MostSeen,
  type SeenDocument,
  type TasteDocument,
} from '@aisle/suggestions'
import { scalarsOf } from '../../domain/documents/stored-value.ts'
import { canonicalJson } from '../../domain/json/canonical-json.ts'
import { conditionOf, tasteOf, type Condition, type Taste } from '../../domain/taste/lifts.ts'
import { tasteFields, type TasteFields } from '../../domain/taste/taste-fields.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings } from '../store/store-settings.ts'
import { planRequest } from './plan-context.ts'
import { soloPace } from './request-pace.ts'
import { Remembered } from './remembered.ts'

/** The taste of a visitor, or that it was not ready in time. */
export type VisitorTaste = Taste | 'late'

export interface TasteScene {
  readonly ports: Pick<ServicePorts, 'registry' | 'reader' | 'suggestions'>
  readonly storeId: string
  readonly view: SearchView
  readonly visitor: Visitor | undefined
  readonly nowMs: number
  /** Only tests set it. */
  readonly budgetMs?: number | undefined
}

type TasteRequest = Pick<SearchParameters, 'personalize' | 'personalize_as_of' | 'per_page'>

/**
 * What the visitor prefers, if the store personalizes, a header names the visitor, and the request
 * does not refuse it: docs/personal-results.md. A search waits for it `PERSONALIZE_BUDGET_MS` at
 * most; what is read later serves the next search.
 *
 * @returns undefined if nothing is personal
 */
export function visitorTaste(
  scene: TasteScene,
  request: TasteRequest,
): Promise<VisitorTaste | undefined> | undefined {
  const { view, visitor } = scene
  const { personalize } = currentSettings(view.resources).settings.ranking ?? {}
  if (personalize === undefined || request.personalize === false || request.per_page === 0) {
    return undefined
  }
  // An address is not a person.
  const { userId, anonymousId, sessionId } = visitor ?? {}
  if ((userId ?? anonymousId ?? sessionId) === undefined) return undefined
  const reading = readTaste(scene, request.personalize_as_of)
  // A search that does not wait for it any more must not fail with it either.
  reading.catch(() => undefined)
  return inTime(reading, scene.budgetMs)
}

async function inTime(
  reading: Promise<Taste | undefined>,
  budgetMs = PERSONALIZE_BUDGET_MS,
): Promise<VisitorTaste | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, budgetMs, 'late')
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Adds a taste to a plan whose order depends on points. */
export function withTaste(plan: SearchPlan, taste: VisitorTaste | undefined): SearchPlan {
  if (taste === undefined || taste === 'late' || plan.size === 0) return plan
  const isByPoints = plan.sort.length === 0 || plan.sort.some(({ kind }) => kind === 'textMatch')
  if (!isByPoints) return plan
  return { ...plan, personal: taste.personal }
}

/** Tastes by what they are made of, so that only a change of it makes another one. */
const tastes = new Remembered<Promise<Taste | undefined>>(
  TASTES_REMEMBERED_MAX,
  TASTE_REMEMBERED_MS,
)

async function readTaste(
  scene: TasteScene,
  asOfMs: number | undefined,
): Promise<Taste | undefined> {
  const { ports, storeId, view, visitor, nowMs } = scene
  const owner = ports.registry.find(storeId)
  if (owner === undefined || view.schema === undefined) return undefined
  const known = await ports.suggestions.of(owner)
  if (known === undefined) return undefined
  const seen = seenUntil(known.together.seenBy(visitor!), asOfMs)
  if (seen.length < TASTE_DOCUMENTS_MIN) return undefined
  const { settings } = currentSettings(view.resources)
  const fields = tasteFields(view.schema, settings)
  const searches = seenUntil(known.profiles.of(visitor!), asOfMs)
  const limit = settings.ranking?.personalize?.limit ?? PERSONALIZE_LIMIT_DEFAULT
  const today = dayOf(nowMs)
  const { content, scope = '' } = view
  const key = canonicalJson([storeId, content, scope, today, limit, fields, seen, searches])
  const remembered = tastes.get(key, nowMs)
  if (remembered !== undefined) return remembered
  const made = makeTaste(scene, {
    fields,
    seen,
    searches,
    limit,
    today,
    mostSeen: () => known.together.mostSeen(),
  })
  tastes.set(key, made, nowMs)
  made.catch(() => tastes.delete(key))
  return made
}

interface Evidence {
  readonly mostSeen: () => readonly MostSeen[]
  readonly fields: TasteFields
  readonly seen: readonly SeenDocument[]
  readonly searches: readonly { readonly key: string; readonly atMs: number }[]
  readonly limit: number
  readonly today: number
}

async function makeTaste(scene: TasteScene, evidence: Evidence): Promise<Taste | undefined> {
  const { view } = scene
  const { schema, analyzer } = view
  const { fields, seen, searches, limit, today } = evidence
  const documents = await readDocuments(scene, evidence)
  const stemsOf = (value: string): readonly string[] =>
    readQuery(value, analyzer)?.key.split(' ') ?? []
  const leanings = leaningsOf({
    documents,
    searches: searches.map(({ key, atMs }) => ({
      stems: new Set(key.split(' ')),
      ageDays: today - dayOf(atMs),
    })),
    bandField: fields.category,
    stemsOf,
  })
  const conditions = leanings
    .slice(0, CONDITIONS_MAX)
    .map((leaning) => conditionOf(leaning, fields, schema!, analyzer))
  const shares: number[] = []
  const crowd = conditions.length === 0 ? [] : await crowdOf(scene, evidence)
  const { userId, anonymousId, sessionId } = scene.visitor!
  const identities = [userId, anonymousId, sessionId].filter((id) => id !== undefined).length
  const others = othersOf(crowd, documents, identities, fields.category)
  for (const condition of conditions) {
    const catalogShare = await shareOf(scene, condition)
    shares.push(crowdShare(condition.leaning, others, fields.category, catalogShare))
  }
  const newest = Math.max(...[...seen, ...searches].map(({ atMs }) => atMs))
  return tasteOf(conditions, shares, limit, fields, seen, newest)
}

/** Leanings that are compared with what is usual, since some of them are not preferences. */
const CONDITIONS_MAX = 24

/** The documents that still exist and that the request may see. */
async function readDocuments(
  scene: TasteScene,
  { fields, seen, today }: Evidence,
): Promise<TasteDocument[]> {
  const byId = new Map(seen.map((one) => [one.id, one]))
  const read = await readValues(scene, [...byId.keys()], fields)
  return read.map((one) => {
    const { step, atMs } = byId.get(one.id)!
    return { ...one, step, ageDays: today - dayOf(atMs) }
  })
}

/** What visitors look at changes slowly. */
const crowds = new Remembered<Promise<readonly CrowdDocument[]>>(
  TASTES_REMEMBERED_MAX,
  CROWD_REMEMBERED_MS,
)

/** What visitors of the store look at. */
function crowdOf(
  scene: TasteScene,
  { fields, mostSeen }: Evidence,
): Promise<readonly CrowdDocument[]> {
  const { storeId, view, nowMs } = scene
  const { content, scope = '' } = view
  const key = canonicalJson([storeId, content, scope, fields])
  const known = crowds.get(key, nowMs)
  if (known !== undefined) return known
  const made = readCrowd(scene, fields, mostSeen())
  crowds.set(key, made, nowMs)
  made.catch(() => crowds.delete(key))
  return made
}

/** Documents read in one turn. */
const READ_TOGETHER = 50

async function readCrowd(
  scene: TasteScene,
  fields: TasteFields,
  mostSeen: readonly MostSeen[],
): Promise<readonly CrowdDocument[]> {
  const crowd: CrowdDocument[] = []
  for (let i = 0; i < mostSeen.length; i += READ_TOGETHER) {
    const some = new Map(mostSeen.slice(i, i + READ_TOGETHER).map((one) => [one.id, one.visitors]))
    const read = await readValues(scene, [...some.keys()], fields)
    for (const one of read) crowd.push({ ...one, visitors: some.get(one.id)! })
    await nextTurn()
  }
  return crowd
}

async function readValues(
  { ports, storeId, view }: TasteScene,
  ids: readonly string[],
  fields: TasteFields,
): Promise<Pick<TasteDocument, 'id' | 'values' | 'price'>[]> {
  const keys = await view.matchingKeys({ kind: 'ids', ids })
  const documentOf = await ports.reader.fetch(storeId, [...keys], view.content)
  const schema = view.schema!
  return [...keys].flatMap((docKey) => {
    const document = documentOf(docKey)
    if (document === undefined) return []
    const { id, json } = document
    const valuesOf = (ordinal: number) => scalarsOf(json, schema.fields[ordinal]!, schema)
    const [price] = fields.price === undefined ? [] : valuesOf(fields.price.ordinal)
    return [
      {
        id,
        values: fields.values.map(({ ordinal }) => valuesOf(ordinal) as readonly string[]),
        price: price === undefined ? undefined : Number(price),
      },
    ]
  })
}

/** Shares of the catalog change slowly. */
const shares = new Remembered<number>(CATALOG_SHARES_REMEMBERED_MAX, CATALOG_SHARE_REMEMBERED_MS)

/** The share of the documents that meet a condition, of the larger set. */
async function shareOf(scene: TasteScene, { filter, within }: Condition): Promise<number> {
  const { storeId, view, nowMs } = scene
  const { content, scope = '' } = view
  const asked = JSON.stringify([filter, within], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const key = `${storeId} ${content} ${scope} ${asked}`
  const known = shares.get(key, nowMs)
  if (known !== undefined) return known
  const all = within === undefined ? await view.docCount() : await countOf(view, within)
  const share = all === 0 ? 0 : (await countOf(view, filter)) / all
  shares.set(key, share, nowMs)
  return share
}

async function countOf(view: SearchView, filter: FilterNode): Promise<number> {
  const { plan } = planRequest(view, COUNTED, soloPace(), 0)
  const { found } = await view.search({ ...plan, filter })
  return found
}

const COUNTED = { q: '*', per_page: 0 }
