import { elementType, hasColumn, type Field, type Schema } from '@aisle/engine'

/**
 * The fields of all schemas share one mapping: it has **slots** of each kind, and a schema says
 * which of its fields is in which slot. So no schema ever changes a mapping.
 */
export const SLOT_COUNTS = {
  /** `length00` …: tokens of a searchable field. */
  length: 96,
  /** `raw00` and `folded00` …: values of a string field that is a facet or sort key. */
  text: 128,
  /** `long00` …: of an int32, int64 or bool. */
  long: 64,
  /** `double00` …: of a float or date. */
  double: 64,
  /** `place00` and `placed00` …: of a geopoint. */
  place: 16,
} as const

export type SlotKind = keyof typeof SLOT_COUNTS

/** The numbers of the slots of one field; absent for kinds that it does not need. */
export interface FieldSlots {
  readonly length?: number
  /** The slot of its column. */
  readonly column?: { readonly kind: Exclude<SlotKind, 'length'>; readonly slot: number }
}

/** By field ordinal. */
export type SlotMap = readonly FieldSlots[]

/** A schema needs more slots of a kind than exist. */
export class SlotsExhaustedError extends Error {
  override readonly name = 'SlotsExhaustedError'
  readonly kind: SlotKind
  /** The first field without a slot. */
  readonly field: string
  readonly slotCount: number

  constructor(kind: SlotKind, field: string) {
    const slotCount = SLOT_COUNTS[kind]
    super(`${FIELDS_OF_KIND[kind]} can be at most ${slotCount} on a cluster`)
    this.kind = kind
    this.field = field
    this.slotCount = slotCount
  }
}

const FIELDS_OF_KIND: Readonly<Record<SlotKind, string>> = {
  length: 'searchable fields',
  text: 'string fields that are facets or sort keys',
  long: 'int32, int64 and bool fields that are facets or sort keys',
  double: 'float and date fields that are facets or sort keys',
  place: 'geopoint fields',
}

/**
 * Assigns slots to each new field of a schema. Fields keep their slots, because fields are only
 * appended.
 *
 * @param before slots of the first fields
 * @throws SlotsExhaustedError
 */
export function allocateSlots(schema: Schema, before: SlotMap): SlotMap {
  const used: Record<SlotKind, number> = {
    length: 0,
    text: 0,
    long: 0,
    double: 0,
    place: 0,
  }
  for (const { length, column } of before) {
    if (length !== undefined) used.length = Math.max(used.length, length + 1)
    if (column !== undefined) used[column.kind] = Math.max(used[column.kind], column.slot + 1)
  }
  const take = (kind: SlotKind, { name }: Field): number => {
    if (used[kind] === SLOT_COUNTS[kind]) throw new SlotsExhaustedError(kind, name)
    return used[kind]++
  }
  const added = schema.fields.slice(before.length).map((field): FieldSlots => {
    const kind = columnKind(field)
    return {
      ...(field.searchable ? { length: take('length', field) } : {}),
      ...(kind === undefined ? {} : { column: { kind, slot: take(kind, field) } }),
    }
  })
  return added.length === 0 ? before : [...before, ...added]
}

function columnKind(field: Field): Exclude<SlotKind, 'length'> | undefined {
  if (!hasColumn(field)) return undefined
  const type = elementType(field.type)
  if (type === 'string') return 'text'
  if (type === 'geopoint') return 'place'
  return type === 'float' || type === 'date' ? 'double' : 'long'
}

/** Name of a slot in the mapping. */
export function slotName(
  of: 'length' | 'raw' | 'folded' | 'long' | 'double' | 'place' | 'placed',
  slot: number,
): string {
  return `${of}${String(slot).padStart(2, '0')}`
}
