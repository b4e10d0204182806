import { groupDocuments, groupKeyOf, PAIR_CANDIDATES_MAX } from '@aisle/engine/rescoring'
import type { GroupedPage, RankedDocument } from '@aisle/engine/rescoring'
import type { PlannedGroups } from '@aisle/engine'
import { SOURCE } from './candidate-reader.ts'
import { countGroups, GroupCount } from './group-count.ts'
import type { ClusterGroup, GroupValues } from './group-values.ts'
import { foundQuery, listSearch, WINDOW_MAX } from './main-request.ts'
import type { Query, SearchAnswer } from './product-searches.ts'
import { noneOf } from './row-query.ts'
import type { PlannedWords } from './word-query.ts'

/** The input of a search with groups. */
export interface GroupSearch {
  readonly words: PlannedWords
  readonly groups: PlannedGroups
  readonly values: GroupValues
  readonly relevantKeys: readonly number[] | undefined
  /** The first documents in the final order, including pinned ones. */
  readonly first: readonly RankedDocument[]
  /** The number of all documents, including pinned ones. */
  readonly found: number
  ask(bodies: readonly object[]): Promise<readonly SearchAnswer[]>
  /** Returns the documents of an answer with their scores, in its order. */
  rank(answer: SearchAnswer): Promise<readonly RankedDocument[]>
  readonly sizes: GroupSizes
}

/** Sizes of requests. Tests use small ones. */
export interface GroupSizes {
  /** Minimum of documents read first. */
  readonly first: number
  /** Documents that the first step of a walk reads; each further step doubles it. */
  readonly step: number
  /**
   * Maximum of groups that a step excludes: each needs its own clauses, and a query has at most
   * 1,024.
   */
  readonly except: number
  /** Maximum of groups that the cluster lists in one answer. Its limit is 65,535 rows. */
  readonly listed: number
}

export const GROUP_SIZES: GroupSizes = {
  first: PAIR_CANDIDATES_MAX,
  step: 100,
  except: 100,
  listed: 10_000,
}

/** Maximum of documents that a later step reads. */
const STEP_MAX = 1_000

export interface FoundGroups extends GroupedPage {
  /** Time ran out. */
  readonly isPartial: boolean
}

/**
 * "Groups" in docs/ranking.md. The groups of the first documents come first, in their order. If
 * they do not fill the page, further groups follow in the cluster's own order of all other
 * documents. A last request completes the groups of the page.
 */
export async function searchGroups(search: GroupSearch): Promise<FoundGroups> {
  const { words, groups, values, first, found } = search
  const { from, size } = words.plan
  if (first.length >= found) {
    return { ...groupDocuments(groups, first, from, size), isPartial: false }
  }
  const known = new Map<string, ClusterGroup>()
  for (const ranked of first) {
    const group = values.ofDocument(ranked.document)
    if (!known.has(group.identity)) known.set(group.identity, group)
    known.get(group.identity)!.documents.push(ranked)
  }
  const end = size === 0 ? 0 : from + size
  const isCutShort = await findGroups(search, known, end)
  const page = await fillGroups(search, [...known.values()].slice(from, end))
  return isCutShort ? { ...page, isPartial: true } : page
}

/**
 * Finds further groups, in their order, until enough are known.
 * @returns whether time ran out
 */
function findGroups(
  search: GroupSearch,
  known: Map<string, ClusterGroup>,
  end: number,
): Promise<boolean> {
  if (known.size >= end) return Promise.resolve(false)
  if (search.groups.fields.length > 1) return walkGroups(search, known, end)
  return collapseGroups(search, known, Math.min(end - known.size, COLLAPSED_MAX))
}

/** Maximum of groups by one field that are found at once. */
const COLLAPSED_MAX = 30_000

/** Lets the cluster find the best document for each value of one field. */
async function collapseGroups(
  search: GroupSearch,
  known: Map<string, ClusterGroup>,
  size: number,
): Promise<boolean> {
  const { words, groups, values, relevantKeys } = search
  const except = exceptGroups(values, [...known.values()])
  const list = (filter: readonly Query[]) => ({
    ...listSearch(words, relevantKeys, { filter, except }),
    ...onlyColumns(values, size),
  })
  const collapse = { field: values.columnName(groups.fields[0]!) }
  if (groups.missing === 'together') {
    const [answer] = await search.ask([{ ...list([]), collapse }])
    return learn(values, known, answer!)
  }
  // Documents without a value must not be collapsed. A third search orders both kinds together.
  const lacking = values.incomplete
  const both = await search.ask([{ ...list([noneOf([lacking])]), collapse }, list([lacking])])
  const keys = both.flatMap(({ hits }) => hits.hits.map((hit) => values.ofHit(hit).docKey))
  if (keys.length === 0) return both.some((answer) => answer.timed_out)
  const [answer] = await search.ask([list([{ terms: { key: keys } }])])
  return learn(values, known, answer!) || both.some((one) => one.timed_out)
}

/**
 * Finds groups by several fields: walks through all documents of unknown groups. Each step excludes
 * the known groups, so it finds a new one no matter how many documents the first groups have.
 */
async function walkGroups(
  search: GroupSearch,
  known: Map<string, ClusterGroup>,
  end: number,
): Promise<boolean> {
  const { words, values, relevantKeys, sizes } = search
  let from = 0
  for (let step = sizes.step; known.size < end; step = Math.min(2 * step, STEP_MAX)) {
    const left = [...known.values()].slice(0, sizes.except)
    const [answer] = await search.ask([
      {
        ...listSearch(words, relevantKeys, { except: exceptGroups(values, left) }),
        ...onlyColumns(values, step),
        from,
      },
    ])
    if (learn(values, known, answer!)) return true
    // A step that excludes more groups than the one before starts from the top.
    from = left.length < sizes.except ? 0 : from + step
    if (answer!.hits.hits.length < step || from + STEP_MAX > WINDOW_MAX) break
  }
  return false
}

/**
 * Adds the groups of an answer.
 * @returns whether time ran out
 */
function learn(
  values: GroupValues,
  known: Map<string, ClusterGroup>,
  { hits, timed_out: isPartial }: SearchAnswer,
): boolean {
  for (const hit of hits.hits) {
    const group = values.ofHit(hit)
    if (!known.has(group.identity)) known.set(group.identity, group)
  }
  return isPartial
}

function exceptGroups(values: GroupValues, groups: readonly ClusterGroup[]): Query[] {
  return groups.length === 0 ? [] : [values.queryOfAll(groups)]
}

/** Reads only the group of a document. */
function onlyColumns({ columns }: GroupValues, size: number): object {
  return { size, track_total_hits: false, _source: false, docvalue_fields: columns }
}

/** Counts all groups, and reads the missing documents of the groups on the page. */
async function fillGroups(
  search: GroupSearch,
  page: readonly ClusterGroup[],
): Promise<FoundGroups> {
  const { words, groups, values, relevantKeys, sizes } = search
  const query = foundQuery(words, relevantKeys)
  const count = new GroupCount({ groups, values, query, listedMax: sizes.listed })
  const bodies = page.map((group) => lackingSearch(search, group, groups.limit))
  const [isCutShort, answers] = await Promise.all([
    countGroups([count], search.ask),
    bodies.length === 0 ? [] : search.ask(bodies),
  ])
  const isPartial = isCutShort || answers.some((answer) => answer.timed_out)
  const filled = await Promise.all(
    page.map(async ({ documents }, i) => {
      const { hits } = answers[i]!
      const more = hits.hits.length === 0 ? [] : await search.rank(answers[i]!)
      const shown = [...documents, ...more].slice(0, groups.limit)
      return { shown, found: documents.length + (hits.total?.value ?? 0) }
    }),
  )
  // Skips groups that another write has emptied meanwhile.
  const existing = filled.filter(({ shown }) => shown.length > 0)
  return {
    found: count.found,
    page: existing.map(({ shown, found }) => ({
      key: groupKeyOf(groups, shown[0]!.document),
      found,
      hitCount: shown.length,
    })),
    shown: existing.flatMap(({ shown }) => shown),
    isPartial,
  }
}

/** Counts the unknown documents of a group, and returns the best of them. */
function lackingSearch(
  { words, values, relevantKeys }: GroupSearch,
  group: ClusterGroup,
  limit: number,
): object {
  const keys = group.documents.map(({ document }) => document.docKey)
  const except: Query[] = keys.length === 0 ? [] : [{ terms: { key: keys } }]
  return {
    ...listSearch(words, relevantKeys, { filter: [values.queryOf(group)], except }),
    size: Math.max(0, limit - group.documents.length),
    track_total_hits: true,
    _source: SOURCE,
  }
}
