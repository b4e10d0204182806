import { ApiError, FACET_INTERVALS_MAX } from '@aisle/contract'
import {
  DeadlineReached,
  deadlineCheck,
  elementType,
  isNumeric,
  valueAnalyzer,
  type Analyzer,
  type FacetOutcome,
  type Schema,
  type SearchPlan,
} from '@aisle/engine'
import { CalendarIntervals, momentText } from '../../domain/values/calendar-intervals.ts'
import { FacetMarker } from '../../domain/expressions/facet-marker.ts'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'
import { firstOfEach, shownFacets } from '../../domain/store/facet-display.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import { restIfDue, type Turns } from '../../ports/search/turns.ts'
import { currentSettings } from '../store/store-settings.ts'

/** A facet whose values may be marked for a facet query. */
export interface MarkedFacet extends FacetOutcome {
  readonly counts: readonly {
    readonly value: string
    readonly count: number
    readonly highlighted?: string
    /** Start of a calendar interval, ISO 8601. */
    readonly from?: string
    readonly to?: string
  }[]
  /** Shows counts where numbers have only their range. */
  readonly isCounted: boolean
}

/** Values marked between two checks of the clock. */
const VALUES_PER_CHECK = 256

export interface MarkedFacets {
  readonly facets: readonly MarkedFacet[]
  readonly cutoff: boolean
}

/**
 * Writes the values of dates as ISO 8601, and adds `highlighted` to the values of the facet with a
 * facet query. If time runs out, the remaining values stay unmarked.
 *
 * @param isEscaped whether to escape for HTML, except the marks
 */
export async function markFacets(
  plan: SearchPlan,
  schema: Schema,
  facets: readonly FacetOutcome[],
  analyzer: Analyzer,
  isEscaped: boolean,
  turns: Turns,
): Promise<MarkedFacets> {
  const checkDeadline = deadlineCheck(plan.deadlineMs)
  let cutoff = false
  const mark = async (facet: FacetOutcome, i: number): Promise<MarkedFacet> => {
    const { field, query, ranges, intervals } = plan.facets[i]!
    const { name, type } = schema.fields[field]!
    const isCounted = !isNumeric(schema.fields[field]!) || intervals !== undefined
    if (intervals instanceof CalendarIntervals) {
      return { ...facet, isCounted, counts: intervalCounts(name, facet, intervals) }
    }
    if (elementType(type) === 'date' && ranges === undefined) {
      const dated = facet.counts.map((one) => ({
        ...one,
        value: momentText(Number(one.value), 'UTC'),
      }))
      return { ...facet, isCounted, counts: dated }
    }
    if (query === undefined || ranges !== undefined) return { ...facet, isCounted }
    const marker = new FacetMarker(query, valueAnalyzer(analyzer, schema.fields[field]!), isEscaped)
    const counts: MarkedFacet['counts'][number][] = []
    for (const one of facet.counts) {
      if (counts.length % VALUES_PER_CHECK === 0) await restIfDue(turns)
      cutoff ||= !isInTime(checkDeadline)
      counts.push(cutoff ? one : { ...one, highlighted: marker.mark(one.value) })
    }
    return { ...facet, isCounted, counts }
  }
  const marked: MarkedFacet[] = []
  for (const [i, facet] of facets.entries()) {
    await restIfDue(turns)
    marked.push(await mark(facet, i))
  }
  return { facets: marked, cutoff }
}

/** @throws ApiError invalid_facet if they span too much */
function intervalCounts(
  name: string,
  { counts, isTooWide }: FacetOutcome,
  intervals: CalendarIntervals,
): MarkedFacet['counts'] {
  const { unit, timeZone } = intervals
  if (isTooWide === true) {
    throw new ApiError(
      'invalid_facet',
      `facet_by: the dates of \`${name}\` span more than ${FACET_INTERVALS_MAX} intervals (${unit}). Choose a longer interval, or filter by date.`,
      { param: 'facet_by' },
    )
  }
  return counts.map(({ count, interval }) => ({
    value: intervals.nameOf(interval!),
    count,
    from: momentText(interval!.low, timeZone),
    to: momentText(interval!.high, timeZone),
  }))
}

function isInTime(checkDeadline: () => void): boolean {
  try {
    checkDeadline()
    return true
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    return false
  }
}

/** The format of `/v1/filters`: by field, values with counts, or the range of numbers. */
export async function presentFacetMap(
  schema: Schema,
  facets: readonly MarkedFacet[],
  turns: Turns,
): Promise<string> {
  return facetMap(schema, facets, await countsInTurns(facets, turns))
}

function facetMap(schema: Schema, facets: readonly MarkedFacet[], counts: FacetJson): string {
  const parts = new Map<string, string>()
  for (const facet of facets) {
    const { name } = schema.fields[facet.field]!
    parts.set(name, facet.isCounted ? counts(facet) : presentRange(facet.stats))
  }
  return `{${[...parts].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** Writes both forms of facets. Counts are in both, and serialized once. */
export async function presentFacets(
  schema: Schema,
  facets: readonly MarkedFacet[],
  turns: Turns,
): Promise<string> {
  const counts = await countsInTurns(facets, turns)
  const map = facetMap(schema, facets, counts)
  return `,"facets":${map},"facet_counts":${presentFacetCounts(schema, facets, counts)}`
}

type FacetJson = (facet: MarkedFacet) => string

async function countsInTurns(facets: readonly MarkedFacet[], turns: Turns): Promise<FacetJson> {
  const written = new Map<MarkedFacet, string>()
  for (const facet of facets) {
    await restIfDue(turns)
    written.set(facet, JSON.stringify(facet.counts))
  }
  return (facet) => written.get(facet)!
}

/**
 * How to show the facets of an answer, by rules and the setting of the store.
 *
 * @returns a member of the answer, or nothing if there are no facets or neither says
 */
export function presentFacetDisplay(
  resources: StoreResources,
  rules: Pick<RuleEffects, 'facetDisplays'> | undefined,
  schema: Schema,
  facets: readonly Pick<FacetOutcome, 'field'>[],
): string {
  const ofStore = currentSettings(resources).settings.facet_display
  const ofRules = rules?.facetDisplays ?? []
  if (facets.length === 0 || (ofStore === undefined && ofRules.length === 0)) return ''
  const display = firstOfEach(ofStore === undefined ? ofRules : [...ofRules, ofStore])!
  const names = facets.map(({ field }) => schema.fields[field]!.name)
  return `,"facet_display":${JSON.stringify(shownFacets(display, names))}`
}

/** The list form: facets in the requested order, with counts for numbers too. */
function presentFacetCounts(
  schema: Schema,
  facets: readonly MarkedFacet[],
  counts: FacetJson,
): string {
  const entries = facets.map((facet) => {
    const { field, totalValues, stats } = facet
    const name = JSON.stringify(schema.fields[field]!.name)
    const numbers =
      stats === undefined
        ? ''
        : `,"stats":{"min":${stats.min},"max":${stats.max},"sum":${stats.sum},"avg":${stats.avg}}`
    return `{"field":${name},"counts":${counts(facet)},"total_values":${totalValues}${numbers}}`
  })
  return `[${entries.join(',')}]`
}

/** A template literal prints a number as JSON does, and a bigint with all its digits. */
function presentRange(stats: FacetOutcome['stats']): string {
  return stats === undefined ? '{"min":null,"max":null}' : `{"min":${stats.min},"max":${stats.max}}`
}
