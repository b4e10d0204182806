import type { Analyzer } from '../analysis/analyzer.ts'
import { setBit } from '../codec/bitset.ts'
import type { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { mergeColumns } from '../columns/column-merger.ts'
import { openColumn, type Column } from '../columns/column-reader.ts'
import type { ColumnId } from '../columns/column-sections.ts'
import { ColumnBuilder } from '../columns/column-writer.ts'
import type { DictionaryReader, DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import type { IndexDocument } from '../schema/document.ts'
import { type Field, type Schema, elementFields, elementsAt } from '../schema/schema.ts'

/**
 * The elements of an `object[]` field in a segment, numbered through all documents in their order.
 * Their fields have columns by element, besides those by document: a filter per element is
 * evaluated on these like any other, and the resulting elements are mapped to documents.
 *
 *     elements.<ordinal of the object[] field>   u32 by element: its document. Ascending
 *     column.<field ordinal>.element.<part>      see `../columns/column-sections.ts`
 *
 * A segment in which no document has an element has none of these sections.
 */
export class ElementSpace {
  /** By element: the docOrd of its document. */
  readonly owners: Uint32Array
  readonly #sections: SectionReader
  readonly #columns = new Map<number, Column | undefined>()

  constructor(owners: Uint32Array, sections: SectionReader) {
    this.owners = owners
    this.#sections = sections
  }

  get count(): number {
    return this.owners.length
  }

  /** The values of a field by element; undefined if no element of the segment has one. */
  column(
    schema: Schema,
    field: number,
    dictionary: DictionaryReader | undefined,
  ): Column | undefined {
    if (!this.#columns.has(field)) {
      const id: ColumnId = `${field}.element`
      const part = fieldInElement(schema.fields[field]!)
      this.#columns.set(field, openColumn(this.#sections, part, id, dictionary, this.count))
    }
    const column = this.#columns.get(field)
    if (column !== undefined && dictionary !== undefined) column.dictionary = dictionary
    return column
  }

  /** @returns a bitset by docOrd: the documents with one of these elements */
  documentsOf(elements: Uint32Array, documents: Uint32Array): Uint32Array {
    const { owners } = this
    for (let i = 0; i < elements.length; i++) {
      let word = elements[i]!
      while (word !== 0) {
        setBit(documents, owners[(i << 5) + 31 - Math.clz32(word & -word)]!)
        word &= word - 1
      }
    }
    return documents
  }
}

/** @returns the elements of an `object[]` field; undefined if no document has one */
export function openElements(sections: SectionReader, objects: number): ElementSpace | undefined {
  const name = ownersSection(objects)
  return sections.has(name) ? new ElementSpace(sections.u32(name), sections) : undefined
}

/** What writing new elements needs; `values` by field ordinal, for strings. */
interface ElementTarget {
  readonly schema: Schema
  readonly values: readonly (DictionaryWriter | undefined)[]
  readonly analyzer: Analyzer
}

/** Writes the elements of every `object[]` field of new documents, in steps. */
export function* writeElements(
  { schema, values, analyzer }: ElementTarget,
  documents: readonly IndexDocument[],
  sections: SectionWriter,
): Generator<void, void> {
  for (const objects of objectFields(schema)) {
    const fields = elementFields(schema, objects)
    const builders = fields.map((field) => {
      const part = fieldInElement(schema.fields[field]!)
      return new ColumnBuilder(part, `${field}.element`, values[field], analyzer.fold)
    })
    const owners: number[] = []
    for (const [docOrd, document] of documents.entries()) {
      for (const element of elementsAt(document.values, objects)) {
        fields.forEach((field, i) => builders[i]!.add(owners.length, element.get(field)))
        owners.push(docOrd)
      }
      yield
    }
    if (owners.length === 0) continue
    sections.add(ownersSection(objects), Uint32Array.from(owners))
    for (const builder of builders) {
      yield* builder.finishInSteps(owners.length, sections)
      yield
    }
  }
}

/** One segment of a merge. */
export interface ElementSource {
  elements(objects: number): ElementSpace | undefined
  /** Old docOrd to new docOrd, -1 = dropped. */
  readonly docMap: Int32Array
}

/** Writes the elements of a merged segment: those of its documents, in the same order. */
export function mergeElements(
  { schema, values, fold }: MergeElementsContext,
  sources: readonly ElementSource[],
  sections: SectionWriter,
): void {
  for (const objects of objectFields(schema)) {
    const owners: number[] = []
    const spaces = sources.flatMap(({ elements, docMap }) => {
      const space = elements(objects)
      if (space === undefined) return []
      const elementMap = new Int32Array(space.count)
      for (let element = 0; element < space.count; element++) {
        const owner = docMap[space.owners[element]!]!
        elementMap[element] = owner < 0 ? -1 : owners.push(owner) - 1
      }
      return [{ space, elementMap }]
    })
    if (owners.length === 0) continue
    sections.add(ownersSection(objects), Uint32Array.from(owners))
    for (const field of elementFields(schema, objects)) {
      const columns = spaces.map(({ space, elementMap }) => ({
        column: space.column(schema, field, values[field]),
        docMap: elementMap,
        docCount: space.count,
      }))
      const part = fieldInElement(schema.fields[field]!)
      mergeColumns(part, `${field}.element`, columns, owners.length, fold, sections)
    }
  }
}

interface MergeElementsContext {
  readonly schema: Schema
  readonly values: readonly (DictionaryReader | undefined)[]
  readonly fold: (text: string) => string
}

function objectFields(schema: Schema): number[] {
  return schema.fields.flatMap(({ type }, ordinal) => (type === 'object[]' ? [ordinal] : []))
}

/** The field as it is within one element. */
function fieldInElement(field: Field): Field {
  return { ...field, type: field.element!.type }
}

function ownersSection(objects: number): string {
  return `elements.${objects}`
}
