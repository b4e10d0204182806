import { type SectionReader, CorruptDataError } from '../codec/section-file.ts'
import type { DictionaryReader } from '../dictionary/shared-dictionary.ts'
import { type ElementType, type Field, elementType, isArrayType } from '../schema/schema.ts'
import { sectionName, type ColumnId } from './column-sections.ts'
import { type ColumnValues, hasValues, openValues } from './column-values.ts'

const NO_U8 = new Uint8Array(0)
const NO_U16 = new Uint16Array(0)
const NO_U32 = new Uint32Array(0)

/**
 * The values of one field of a segment by docOrd: an ordinal column over the sorted distinct values
 * (layout: `column-sections.ts`). Immutable except for `dictionary`.
 */
export class Column {
  readonly field: Field
  readonly type: ElementType
  readonly isMulti: boolean
  readonly docCount: number
  /** Number of distinct values, and upper bound of ranks. */
  readonly valueCount: number
  /** Upper bound of ordinals: `valueCount + 1`, or for array fields the number of sets. */
  readonly ordCount: number
  /**
   * Bits of an ordinal. Only the array of this width has elements, so that each kernel sees one
   * type.
   */
  readonly ordBits: 8 | 16 | 32
  readonly ords8: Uint8Array
  readonly ords16: Uint16Array
  readonly ords32: Uint32Array
  /**
   * Array fields: set s = setValues[setStart[s] .. setStart[s + 1]), value ranks; set 0 is empty.
   */
  readonly setStart: Uint32Array
  readonly setValues: Uint32Array
  /** Strings: the newest known dictionary. Ids only grow, so any newer one works. */
  dictionary: DictionaryReader | undefined
  readonly #values: ColumnValues
  #points: Uint32Array | undefined

  /** @throws CorruptDataError if the sections are inconsistent */
  constructor(
    sections: SectionReader,
    field: Field,
    id: ColumnId,
    dictionary: DictionaryReader | undefined,
    docCount: number,
  ) {
    const name = (part: Parameters<typeof sectionName>[1]) => sectionName(id, part)
    this.field = field
    this.type = elementType(field.type)
    this.isMulti = isArrayType(field.type)
    this.docCount = docCount
    this.dictionary = dictionary
    this.ordBits = sections.has(name('ords8')) ? 8 : sections.has(name('ords16')) ? 16 : 32
    this.ords8 = this.ordBits === 8 ? sections.u8(name('ords8')) : NO_U8
    this.ords16 = this.ordBits === 16 ? sections.u16(name('ords16')) : NO_U16
    this.ords32 = this.ordBits === 32 ? sections.u32(name('ords32')) : NO_U32
    const kind = this.type === 'string' ? 'ids' : this.hasBigints ? 'bigints' : 'numbers'
    this.#values = openValues(id, kind, sections)
    this.valueCount = this.#values.count
    this.setStart = this.isMulti ? sections.u32(name('setStart')) : NO_U32
    this.setValues = this.isMulti ? sections.u32(name('setValues')) : NO_U32
    this.ordCount = this.isMulti ? this.setStart.length - 1 : this.valueCount + 1
    if (this.ords.length !== docCount) {
      throw new CorruptDataError(
        `Column ${id} has ${this.ords.length} ordinals for ${docCount} documents`,
      )
    }
  }

  /** By docOrd: 0 = missing, else 1 + rank; array fields: set ordinal. */
  get ords(): Uint8Array | Uint16Array | Uint32Array {
    return this.ordBits === 8 ? this.ords8 : this.ordBits === 16 ? this.ords16 : this.ords32
  }

  /** For strings, by rank: id in the dictionary of the field. */
  get valueIds(): Uint32Array {
    return this.#values.ids
  }

  /** A value of an int32, float or bool field (0 or 1). */
  number(rank: number): number {
    return this.#values.number(rank)
  }

  bigint(rank: number): bigint {
    return this.#values.bigint(rank)
  }

  /** A value of a numeric field of any type. */
  numeric(rank: number): number | bigint {
    return this.hasBigints ? this.bigint(rank) : this.number(rank)
  }

  get hasBigints(): boolean {
    return this.type === 'int64' || this.type === 'geopoint'
  }

  /** For geopoints, by rank: the low and the high half of each packed place. */
  get points(): Uint32Array {
    return (this.#points ??= this.#values.halves())
  }

  /** A value of a string field as written; decoded each time. */
  text(rank: number): string {
    return this.dictionary!.text(this.valueIds[rank]!)
  }

  /**
   * A value of any type as analysed and shown: numbers in shortest decimal form, `true`, `false`.
   */
  label(rank: number): string {
    switch (this.type) {
      case 'string':
        return this.text(rank)
      case 'bool':
        return this.number(rank) === 1 ? 'true' : 'false'
      default:
        return String(this.numeric(rank))
    }
  }
}

/** @returns undefined if no document of the segment has a value, or the field was added later */
export function openColumn(
  sections: SectionReader,
  field: Field,
  id: ColumnId,
  dictionary: DictionaryReader | undefined,
  docCount: number,
): Column | undefined {
  if (!hasValues(id, sections)) return undefined
  return new Column(sections, field, id, dictionary, docCount)
}
