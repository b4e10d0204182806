import { PERSONALIZE_LIFTS_MAX, type Personalized } from '@aisle/contract'
import type { Analyzer, FilterNode, PlannedPersonal, Schema } from '@aisle/engine'
import { affinityOf, type Leaning, type SeenDocument } from '@aisle/suggestions'
import { allOf } from '../expressions/filter-nodes.ts'
import type { TasteFields } from './taste-fields.ts'

/** What lifts the results of one visitor, and why. */
export interface Taste {
  readonly personal: PlannedPersonal
  /** The newest event that counts: milliseconds since 1970. */
  readonly asOfMs: number
  /** In the order of `personal.lifts`. */
  readonly reasons: readonly Reason[]
}

/** Why documents are lifted. */
export type Reason = Required<Omit<NonNullable<Personalized['lifts']>[number], 'value' | 'price'>> &
  Pick<NonNullable<Personalized['lifts']>[number], 'value' | 'price'>

/** A leaning as a condition that documents meet, and the larger set it is a share of. */
export interface Condition {
  readonly leaning: Leaning
  readonly filter: FilterNode
  /** Undefined: all documents. */
  readonly within: FilterNode | undefined
}

export function conditionOf(
  leaning: Leaning,
  { values, price }: TasteFields,
  schema: Schema,
  analyzer: Analyzer,
): Condition {
  const { field, value, band } = leaning
  const ofValue: FilterNode | undefined =
    field === undefined || value === undefined
      ? undefined
      : { kind: 'equals', field: values[field]!.ordinal, value: analyzer.fold(value) }
  if (band === undefined) return { leaning, filter: ofValue!, within: undefined }
  const { ordinal } = price!
  const isWhole = schema.fields[ordinal]!.type === 'int64'
  const low = isWhole ? BigInt(Math.ceil(band.low)) : band.low
  const high = isWhole ? BigInt(Math.floor(band.high)) : band.high
  const range: FilterNode = { kind: 'range', field: ordinal, low, high }
  const filter = ofValue === undefined ? range : allOf([ofValue, range])
  return { leaning, filter, within: ofValue }
}

/**
 * The strongest lifts that the shares of the catalog leave.
 *
 * @param shares of the documents that meet each condition, within the larger set
 * @returns undefined if the visitor prefers nothing
 */
export function tasteOf(
  conditions: readonly Condition[],
  shares: readonly number[],
  limit: number,
  fields: TasteFields,
  seen: readonly SeenDocument[],
  asOfMs: number,
): Taste | undefined {
  const steps = new Map(seen.map(({ id, step }) => [id, step]))
  const lifts = conditions
    .map((condition, i) => ({
      condition,
      share: limit * affinityOf(condition.leaning, shares[i]!),
    }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, PERSONALIZE_LIFTS_MAX)
  if (lifts.length === 0) return undefined
  return {
    personal: {
      limit,
      lifts: lifts.map(({ condition: { filter }, share }) => ({ filter, share })),
    },
    asOfMs,
    reasons: lifts.map(({ condition, share }) => reasonOf(condition.leaning, share, fields, steps)),
  }
}

const ACTIONS = { look: 'looked', cart: 'cart', order: 'bought' } as const

function reasonOf(
  { field, value, band, ids, isSearched }: Leaning,
  share: number,
  { values, price }: TasteFields,
  steps: ReadonlyMap<string, SeenDocument['step']>,
): Reason {
  const looked = ids.map((id) => ({ action: ACTIONS[steps.get(id) ?? 'look'], id }))
  return {
    field: field === undefined ? price!.name : values[field]!.name,
    ...(value === undefined ? {} : { value }),
    ...(band === undefined ? {} : { price: { field: price!.name, from: band.low, to: band.high } }),
    share: Math.round(share * 10_000) / 10_000,
    because: isSearched ? [...looked, { action: 'searched' }] : looked,
  }
}

/** The member `personalized` of a response. @param isExplained with what the visitor did */
export function presentTaste({ asOfMs, reasons }: Taste, isExplained: boolean): Personalized {
  const lifts = reasons.map(({ because, ...lift }) => (isExplained ? { ...lift, because } : lift))
  return { as_of: asOfMs, lifts }
}
