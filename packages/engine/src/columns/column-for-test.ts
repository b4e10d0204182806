import fc from 'fast-check'
import type { Analyzer } from '../analysis/analyzer.ts'
import { tinyAnalyzer } from '../naive/tiny-analyzer.ts'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { DictionaryReader, DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { arbitraryElement } from '../naive/generate.ts'
import type { Field, FieldType, FieldValue, Scalar } from '../schema/schema.ts'
import { elementType, FIELD_TYPES, isArrayType } from '../schema/schema.ts'
import type { Column } from './column-reader.ts'
import { openColumn } from './column-reader.ts'
import { ColumnBuilder } from './column-writer.ts'

const MAGIC = 0x54534554

export function fieldForTest(type: FieldType, name = 'field'): Field {
  return { name, type, searchable: false, facet: true, sort: !isArrayType(type) }
}

/** Writes sections and opens the result. */
export function reopen(write: (sections: SectionWriter) => void): SectionReader {
  const sections = new SectionWriter()
  write(sections)
  return new SectionReader(sections.finish(MAGIC, {}), MAGIC)
}

/** A column of these values, by docOrd. */
export function columnOf(
  field: Field,
  values: readonly (FieldValue | undefined)[],
  dictionary = new DictionaryWriter(),
  analyzer: Analyzer = tinyAnalyzer,
  fieldOrdinal = 0,
): Column | undefined {
  const builder = new ColumnBuilder(field, fieldOrdinal, dictionary, analyzer.fold)
  values.forEach((value, docOrd) => builder.add(docOrd, value))
  const sections = reopen((writer) => builder.finish(values.length, writer))
  const reader = new DictionaryReader(dictionary.handles())
  return openColumn(sections, field, fieldOrdinal, reader, values.length)
}

/** Values of a document in a column, ascending. */
export function valuesAt(column: Column | undefined, docOrd: number): Scalar[] {
  const ord = column?.ords[docOrd] ?? 0
  if (column === undefined || ord === 0) return []
  const ranks = column.isMulti
    ? [...column.setValues.subarray(column.setStart[ord], column.setStart[ord + 1])]
    : [ord - 1]
  return ranks.map((rank) => {
    if (column.type === 'string') return column.text(rank)
    return column.type === 'bool' ? column.number(rank) === 1 : column.numeric(rank)
  })
}

/** Values of one field for some documents. */
export function arbitraryColumnValues(type: FieldType): fc.Arbitrary<(FieldValue | undefined)[]> {
  const element = arbitraryElement(elementType(type))
  const value: fc.Arbitrary<FieldValue> = isArrayType(type)
    ? fc.array(element, { maxLength: 4 })
    : element
  return fc.array(fc.option(value, { nil: undefined, freq: 4 }), { maxLength: 70, size: 'max' })
}

/** Vectors have no column. */
export const arbitraryFieldType: fc.Arbitrary<FieldType> = fc.constantFrom(
  ...FIELD_TYPES.filter((type) => type !== 'vector'),
)
