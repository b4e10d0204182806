import {
  ApiError,
  FACET_FIELDS_MAX,
  FACET_INTERVALS_MAX,
  FACET_RANGES_MAX,
  FACET_VALUES_DEFAULT,
  FACET_VALUES_MAX,
} from '@aisle/contract'
import {
  elementType,
  isNumeric,
  isPlace,
  type Analyzer,
  type FacetRequest,
  type FacetWord,
  type Field,
  type Schema,
} from '@aisle/engine'
import { requireField } from '../documents/field-lookup.ts'
import { wholeObject } from '../documents/nested-fields.ts'
import { readFieldName } from './filter-lexer.ts'
import { FilterTests } from './filter-tests.ts'
import {
  isAbove,
  lowBound,
  parseNumber,
  type NumberLiteral,
  type NumericType,
} from '../values/number-literal.ts'
import { isTimeZone } from '../values/calendar.ts'
import {
  CalendarIntervals,
  INTERVAL_UNITS,
  type IntervalUnit,
} from '../values/calendar-intervals.ts'
import { parsePeriod, type DateContext } from '../values/date-literal.ts'
import { allowedEdits, type TypoOptions } from '../words/typo-options.ts'
import { TextCursor } from './text-cursor.ts'

export interface FacetOptions {
  /** `field:text`: counts only values with words that start with the text. */
  readonly facetQuery?: string | undefined
  /** Values per facet unless it has its own limit. */
  readonly maxValues?: number | undefined
  /** Typos tolerated in the facet query; none if absent. */
  readonly typos?: TypoOptions
  /** Absent: there is no `now`, and dates are in UTC. */
  readonly dates?: DateContext | undefined
}

type FacetRange = NonNullable<FacetRequest['ranges']>[number]

const OPTION_STOP = /[:,()[\]]/g
const OPTION_VALUE_STOP = /[,()[\]]/g
const RANGE_STOP = /[,()[\]]/g
const OPTIONS = '`limit:`, `sort:`, `interval:`, `time_zone:` or a range `name:[low,high]`'
const ORDERS: Readonly<Record<string, FacetRequest['order']>> = {
  count: 'count',
  alpha: 'value',
  value: 'value',
  '_count:desc': 'count',
  '_alpha:asc': 'value',
}

/**
 * Parses a facet expression (docs/filters.md): a comma list, or an array of such lists, of
 *
 *     field   field(limit:20, sort:count|alpha)   price(cheap:[0,50], dear:[50,])   *
 *     created(interval:month, time_zone:Europe/Berlin)
 *
 * A range includes its lower end and excludes its upper end; either may be open. `*` means every
 * facet field of the schema, `specs.*` every one inside of the object `specs`. A field named twice
 * is counted once, by its last form.
 */
export function parseFacets(
  facetBy: string | readonly string[] | undefined,
  options: FacetOptions,
  schema: Schema,
  analyzer: Analyzer,
): FacetRequest[] {
  const limit = options.maxValues ?? FACET_VALUES_DEFAULT
  const facets = new Map<number, FacetRequest>()
  const isList = typeof facetBy !== 'string'
  const texts = isList ? (facetBy ?? []) : [facetBy]
  let namedCount = 0
  for (const [index, text] of texts.entries()) {
    if (text.trim() === '') continue
    const param = isList ? `facet_by[${index}]` : 'facet_by'
    const cursor = new TextCursor(text, { code: 'invalid_facet', param })
    do {
      cursor.skipSpace()
      const object = readWholeObject(cursor, schema)
      if (object !== undefined) addAll(facets, schema, limit, `${object}.`)
      else if (cursor.eat('*')) addAll(facets, schema, limit)
      else {
        if (++namedCount > FACET_FIELDS_MAX)
          throw cursor.error(`more than ${FACET_FIELDS_MAX} fields`)
        const facet = parseFacet(cursor, schema, limit, options.dates)
        facets.set(facet.field, facet)
      }
      cursor.skipSpace()
    } while (cursor.eat(','))
    if (!cursor.atEnd) throw cursor.expected('`,` or the end')
  }
  if (options.facetQuery !== undefined && options.facetQuery.trim() !== '') {
    addQuery(facets, options.facetQuery, limit, schema, analyzer, options.typos)
  }
  return [...facets.values()]
}

/** @param start of the names of the fields */
function addAll(
  facets: Map<number, FacetRequest>,
  schema: Schema,
  limit: number,
  start = '',
): void {
  for (const [ordinal, field] of schema.fields.entries()) {
    const isMeant = field.facet && field.name.startsWith(start)
    if (isMeant && !facets.has(ordinal)) facets.set(ordinal, plainFacet(field, ordinal, limit))
  }
}

/** Moves past `specs.*` if `specs` is an object. @returns its name */
function readWholeObject(cursor: TextCursor, schema: Schema): string | undefined {
  const comma = cursor.text.indexOf(',', cursor.at)
  const end = comma < 0 ? cursor.text.length : comma
  const name = cursor.text.slice(cursor.at, end).trim()
  // If no object has this name, it may be the name of a field.
  const object = wholeObject(schema, name)
  if (object !== undefined) cursor.at = end
  return object
}

function plainFacet(field: Field, ordinal: number, limit: number): FacetRequest {
  return { field: ordinal, limit, order: 'count', stats: isNumeric(field) }
}

/**
 * `facet_query`: `brand:ni` searches the values of brand, and counts brand if `facet_by` did not.
 */
function addQuery(
  facets: Map<number, FacetRequest>,
  text: string,
  limit: number,
  schema: Schema,
  analyzer: Analyzer,
  typos: TypoOptions | undefined,
): void {
  const cursor = new TextCursor(text, { code: 'invalid_facet', param: 'facet_query' })
  const { field, ordinal } = readFacetField(cursor, schema)
  cursor.skipSpace()
  if (!cursor.eat(':')) throw cursor.expected('`:` and the text to look for')
  cursor.skipSpace()
  let words = cursor.text.slice(cursor.at)
  const quoted = /^[`"]/.test(words) ? cursor.readQuoted() : undefined
  if (quoted !== undefined) {
    words = quoted
    cursor.skipSpace()
    if (!cursor.atEnd) throw cursor.expected('the end')
  }
  const forms = new FilterTests(analyzer).forms(words, field)
  const facet = facets.get(ordinal) ?? plainFacet(field, ordinal, limit)
  const query = forms.map((form): FacetWord => ({
    form,
    edits: typos === undefined ? 0 : allowedEdits(form, typos),
  }))
  facets.set(ordinal, query.length === 0 ? facet : { ...facet, query })
}

function readFacetField(cursor: TextCursor, schema: Schema): { field: Field; ordinal: number } {
  cursor.skipSpace()
  const at = cursor.at
  const name = readFieldName(cursor)
  if (name === undefined) throw cursor.expected('a field name')
  const where = cursor.where(at)
  const found = requireField(schema, name, { param: cursor.param, where })
  if (found.field.facet) return found
  if (isPlace(found.field)) {
    throw new ApiError(
      'field_not_facetable',
      `${where}: field \`${name}\` is ${found.field.type}: places are not counted, filter by an area such as \`${name}:(48.85, 2.35, 5 km)\`.`,
      { param: cursor.param },
    )
  }
  throw new ApiError(
    'field_not_facetable',
    `${where}: field \`${name}\` is not declared with \`facet\`.`,
    { param: cursor.param },
  )
}

function parseFacet(
  cursor: TextCursor,
  schema: Schema,
  limitByDefault: number,
  dates: DateContext | undefined,
): FacetRequest {
  const start = cursor.at
  const { field, ordinal } = readFacetField(cursor, schema)
  let limit: number | undefined
  let order: FacetRequest['order'] | undefined
  let unit: IntervalUnit | undefined
  let timeZone: string | undefined
  const ranges = new Map<string, FacetRange>()
  cursor.skipSpace()
  if (cursor.eat('(')) {
    do {
      cursor.skipSpace()
      const at = cursor.at
      const name = cursor.readQuoted() ?? cursor.readUntil(OPTION_STOP)
      cursor.skipSpace()
      if (!cursor.eat(':')) throw cursor.expected(OPTIONS, at)
      cursor.skipSpace()
      if (cursor.startsWith('[')) {
        if (name === '') throw cursor.expected('a name for the range', at)
        if (ranges.has(name)) throw cursor.error('two ranges have the same name', at)
        if (ranges.size === FACET_RANGES_MAX) {
          throw cursor.error(`more than ${FACET_RANGES_MAX} ranges`, at)
        }
        ranges.set(name, parseRange(cursor, field, name, at, dates))
      } else if (name === 'limit') limit = parseLimit(cursor)
      else if (name === 'sort' || name === 'sort_by') order = parseOrder(cursor)
      else if (name === 'interval') unit = parseUnit(cursor, field, at)
      else if (name === 'time_zone') timeZone = parseTimeZone(cursor)
      else throw cursor.expected(OPTIONS, at)
      cursor.skipSpace()
    } while (cursor.eat(','))
    if (!cursor.eat(')')) throw cursor.expected('`,` or `)`')
  }
  const plain = { field: ordinal, stats: isNumeric(field) }
  if (unit !== undefined) {
    if (ranges.size > 0) throw cursor.error('a facet has either an interval or ranges', start)
    const intervals = new CalendarIntervals(unit, timeZone ?? dates?.timeZone ?? 'UTC')
    // Calendar intervals default to chronological order, and all are returned.
    return { ...plain, limit: limit ?? FACET_INTERVALS_MAX, order: order ?? 'value', intervals }
  }
  if (timeZone !== undefined) throw cursor.error('`time_zone:` needs an `interval:`', start)
  const facet = { ...plain, limit: limit ?? limitByDefault, order: order ?? 'count' }
  return ranges.size === 0 ? facet : { ...facet, ranges: [...ranges.values()] }
}

function parseUnit(cursor: TextCursor, field: Field, at: number): IntervalUnit {
  if (elementType(field.type) !== 'date') {
    throw cursor.error(`field \`${field.name}\` is ${field.type}: only dates have intervals`, at)
  }
  const valueAt = cursor.at
  const text = cursor.readUntil(OPTION_VALUE_STOP).toLowerCase()
  const unit = INTERVAL_UNITS.find((known) => known === text)
  if (unit === undefined) throw cursor.expected(`one of ${INTERVAL_UNITS.join(', ')}`, valueAt)
  return unit
}

function parseTimeZone(cursor: TextCursor): string {
  const at = cursor.at
  const text = cursor.readQuoted() ?? cursor.readUntil(OPTION_VALUE_STOP)
  if (!isTimeZone(text)) {
    throw cursor.expected('a time zone such as `Europe/Berlin`, or an offset such as `+02:00`', at)
  }
  return text
}

function parseLimit(cursor: TextCursor): number {
  const at = cursor.at
  const digits = cursor.match(/\d+/y)
  const limit = Number(digits)
  if (digits === undefined || limit > FACET_VALUES_MAX) {
    throw cursor.expected(`an integer from 0 to ${FACET_VALUES_MAX}`, at)
  }
  return limit
}

/** `count`, `alpha`; also Typesense's `_alpha:asc`. */
function parseOrder(cursor: TextCursor): FacetRequest['order'] {
  const at = cursor.at
  const order = cursor.readUntil(OPTION_VALUE_STOP).toLowerCase()
  if (!Object.hasOwn(ORDERS, order)) throw cursor.expected('`count` or `alpha`', at)
  return ORDERS[order]!
}

function parseRange(
  cursor: TextCursor,
  field: Field,
  name: string,
  at: number,
  dates: DateContext | undefined,
): FacetRange {
  const type = elementType(field.type)
  if (type === 'string' || type === 'bool' || type === 'geopoint' || type === 'vector') {
    throw cursor.error(
      `field \`${field.name}\` is ${field.type}: only numbers and dates have ranges`,
      at,
    )
  }
  cursor.eat('[')
  const low = parseEnd(cursor, type, dates)
  if (!cursor.eat(',')) throw cursor.expected('`,` between the ends of the range')
  const high = parseEnd(cursor, type, dates)
  if (!cursor.eat(']')) throw cursor.expected('`]`')
  const isMistake = low !== undefined && high !== undefined && isAbove(low, high)
  if (isMistake && !low.isMoving && !high.isMoving) {
    throw cursor.error('the lower end of the range is above its upper end', at)
  }
  // low <= x < high: for integers x both ends round up.
  return {
    name,
    ...(low === undefined ? {} : { low: lowBound(low, true).value }),
    ...(high === undefined ? {} : { high: lowBound(high, true).value }),
  }
}

interface RangeEnd extends NumberLiteral {
  /** Depends on the time of the request. */
  readonly isMoving: boolean
}

function parseEnd(
  cursor: TextCursor,
  type: NumericType | 'date',
  dates: DateContext | undefined,
): RangeEnd | undefined {
  cursor.skipSpace()
  const at = cursor.at
  const text = cursor.readQuoted() ?? cursor.readUntil(RANGE_STOP)
  cursor.skipSpace()
  if (text === '') return undefined
  if (type === 'date') {
    const period = parsePeriod(text, dates)
    if (period === undefined) throw cursor.expected('a date', at)
    const value = period.startMs / 1000
    return { floor: value, integral: true, approximate: value, isMoving: period.isMoving }
  }
  const number = parseNumber(text, type)
  if (number === undefined) throw cursor.expected('a number', at)
  return { ...number, isMoving: false }
}
