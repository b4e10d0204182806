import type { INTERPRETATION_MODES, SearchParameters } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import {
  bothFilters,
  readingFilter,
  readingsFilter,
  type Interpretation,
} from '../../domain/interpretation/interpretation.ts'
import { canonicalJson } from '../../domain/json/canonical-json.ts'
import type { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { currentSettings } from '../store/store-settings.ts'
import { interpretQuery } from './interpret-query.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { RequestPace } from './request-pace.ts'
import { rulesOf, type RuledRequest, type RuleTrial } from './search-rules.ts'

/** The interpretation that a request asks for. */
export interface AskedInterpretation extends Interpretation {
  readonly isApplied: boolean
  /** The time ran out: nothing was read. */
  readonly isCut: boolean
}

type InterpretedRequest = Pick<SearchParameters, 'interpret' | 'interpret_except' | 'filter_by'>

type Mode = (typeof INTERPRETATION_MODES)[number]

/** What a query means: the rules that match it, and the filters in it. */
export interface Interpreted {
  readonly rules: RuleEffects | undefined
  /** Undefined if the request asks for none. */
  readonly interpretation: AskedInterpretation | undefined
}

/**
 * Reads the filters of a query, and finds the rules that match the request with them. A rule that
 * rewrites the query knows what it means: then it has no filters.
 *
 * @param query as sent
 * @returns the request with the filters, if they are applied; `q` is as sent
 */
export async function interpretedRequest<T extends RuledRequest & InterpretedRequest>(
  ports: Pick<ServicePorts, 'clock'>,
  view: SearchView,
  request: T,
  query: AnalysedQuery,
  pace: RequestPace,
  trial: RuleTrial,
): Promise<Interpreted & { readonly request: T }> {
  const interpretation = await interpretationOf(view, request, query, pace)
  const filtered = withReadings(request, interpretation)
  const rules = rulesOf(ports, view, filtered, query, trial)
  if (interpretation === undefined || rules === undefined || rules.q === query.text) {
    return { request: filtered, rules, interpretation }
  }
  const plain = filtered === request ? rules : rulesOf(ports, view, request, query, trial)
  const none = { ...interpretation, readings: [], rest: query.text, isApplied: false }
  return { request, rules: plain, interpretation: none }
}

export function interpretationWarnings(
  interpretation: AskedInterpretation | undefined,
): readonly string[] {
  return interpretation?.isCut === true ? ['The query was not interpreted: the time ran out'] : []
}

/** @returns undefined if the request asks for none */
async function interpretationOf(
  view: SearchView,
  { interpret, interpret_except: except = [] }: InterpretedRequest,
  query: AnalysedQuery,
  pace: RequestPace,
): Promise<AskedInterpretation | undefined> {
  const mode = modeOf(view, interpret)
  if (mode === 'off') return undefined
  const read = await interpretedBefore(view, query, except, pace)
  const found = read ?? { readings: [], rest: query.text }
  const isMeant = mode === 'apply' && found.readings.length > 0
  const isApplied = isMeant && !isFoundByWords(found, view.schema ?? NO_SCHEMA)
  return { ...found, isApplied, isCut: read === undefined }
}

/**
 * Whether words alone find the same: then they are searched for, because without them there is
 * nothing to rank by.
 */
function isFoundByWords({ readings, rest }: Interpretation, { fields }: Schema): boolean {
  const searchable = (name: string): boolean =>
    fields.find((field) => field.name === name)?.searchable === true
  return rest === '' && readings.every(({ kind, field }) => kind === 'value' && searchable(field))
}

/** A request with the filters of an interpretation that is applied. */
function withReadings<T extends InterpretedRequest>(
  request: T,
  interpretation: AskedInterpretation | undefined,
): T {
  if (interpretation?.isApplied !== true) return request
  const filter = readingsFilter(interpretation.readings)
  return { ...request, filter_by: bothFilters(request.filter_by ?? '', filter) }
}

/** The query to search for. @param q as rules left it */
export function searchedText(
  q: string,
  interpretation: Pick<AskedInterpretation, 'isApplied' | 'rest'> | undefined,
): string {
  if (interpretation?.isApplied !== true) return q
  return interpretation.rest === '' ? '*' : interpretation.rest
}

/** JSON of the member `interpretation` of a response. */
export function presentInterpretation({ readings, rest, isApplied }: AskedInterpretation): string {
  return JSON.stringify({
    filters: readings.map((reading) => {
      const { kind, field, operator, values, text, start, end } = reading
      const filter_by = readingFilter(reading)
      return { kind, field, operator, values, text, start, end, filter_by }
    }),
    filter_by: readingsFilter(readings),
    rest,
    applied: isApplied,
  })
}

function modeOf({ resources }: SearchView, interpret: InterpretedRequest['interpret']): Mode {
  if (interpret === undefined) {
    return currentSettings(resources).settings.interpretation?.mode ?? 'off'
  }
  return interpret === 'apply' ? 'apply' : interpret ? 'suggest' : 'off'
}

/** Number of remembered queries of a store, until it changes. */
const REMEMBERED_MAX = 1_000

interface Remembered {
  readonly version: number
  readonly known: Map<string, Interpretation>
}

/** By resources too: a draft may have other synonyms than what is live. */
const remembered = new WeakMap<Schema, WeakMap<StoreResources, Remembered>>()

/** An interpretation, remembered until the store changes. */
async function interpretedBefore(
  view: SearchView,
  query: AnalysedQuery,
  except: readonly string[],
  pace: RequestPace,
): Promise<Interpretation | undefined> {
  const { schema, scope = '', version, resources } = view
  if (schema === undefined) return interpretQuery(view, query, except, pace)
  const ofSchema = remembered.get(schema) ?? new WeakMap<StoreResources, Remembered>()
  remembered.set(schema, ofSchema)
  let before = ofSchema.get(resources)
  if (before?.version !== version) ofSchema.set(resources, (before = { version, known: new Map() }))
  const key = canonicalJson([scope, query.text, except.toSorted()])
  const known = before.known.get(key)
  if (known !== undefined) return known
  const read = await interpretQuery(view, query, except, pace)
  if (read !== undefined && before.known.size < REMEMBERED_MAX) before.known.set(key, read)
  return read
}
