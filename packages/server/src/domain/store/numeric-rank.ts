import { ApiError, type NumericRanking } from '@aisle/contract'
import {
  hasColumn,
  isArrayType,
  isNumeric,
  type Field,
  type PlannedNumeric,
  type Schema,
} from '@aisle/engine'
import { requireField } from '../documents/field-lookup.ts'
import { parsePeriod, type DateContext } from '../values/date-literal.ts'

/** `now` is the beginning of the hour, so that cached responses stay valid within it. */
const NOW = 'now/h'

/**
 * The setting `ranking.numeric` as a part of a plan.
 *
 * @throws ApiError unknown_field, invalid_parameter
 */
export function readNumeric(
  given: NumericRanking,
  schema: Schema,
  dates: DateContext,
): PlannedNumeric {
  const param = 'ranking.numeric.field'
  const { field, ordinal } = requireField(schema, given.field, { param })
  if (!isRankable(field)) {
    throw fault(
      'field',
      `must be declared with \`facet\` or \`sort\` and hold a single number or date: \`${field.name}\` is ${field.type}`,
    )
  }
  const { weight, shape } = given
  const isDate = field.type === 'date'
  if (isDate && shape !== 'decay') throw fault('shape', 'must be `decay` for a date')
  const scale = readScale(given.scale, isDate)
  return { field: ordinal, weight, shape, scale, origin: readOrigin(given, isDate, dates) }
}

/** The same in a search. Undefined if there is none, or a later schema made it invalid. */
export function plannedNumeric(
  given: NumericRanking | undefined,
  schema: Schema,
  dates: DateContext,
): PlannedNumeric | undefined {
  if (given === undefined || given.weight === 0) return undefined
  try {
    return readNumeric(given, schema, dates)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The text of dates that the setting depends on, for `movingDates`. */
export function movingOrigin(given: NumericRanking | undefined): string | undefined {
  return given?.origin === 'now' ? NOW : undefined
}

function isRankable(field: Field): boolean {
  return hasColumn(field) && isNumeric(field) && !isArrayType(field.type)
}

function readScale(scale: NumericRanking['scale'], isDate: boolean): number {
  if (typeof scale === 'number') return scale
  if (!isDate) throw fault('scale', 'must be a number above 0, unless the field is a date')
  return parsePeriod(`1970-01-01||+${scale}`)!.startMs / 1000
}

function readOrigin(
  { shape, origin }: NumericRanking,
  isDate: boolean,
  dates: DateContext,
): number {
  if (shape !== 'decay') {
    if (origin === undefined) return 0
    throw fault('origin', `goes only with the shape \`decay\`, not with \`${shape}\``)
  }
  if (typeof origin === 'number') return origin
  const period =
    isDate && origin !== undefined
      ? parsePeriod(origin === 'now' ? NOW : origin, { ...dates, timeZone: 'UTC' })
      : undefined
  if (period !== undefined) return period.startMs / 1000
  const wanted = isDate ? 'an ISO 8601 time such as `2026-01-31`, or `now`' : 'a number'
  throw fault('origin', `must be ${wanted}`)
}

function fault(member: string, what: string): ApiError {
  const param = `ranking.numeric.${member}`
  return new ApiError('invalid_parameter', `Parameter \`${param}\` ${what}`, { param })
}
