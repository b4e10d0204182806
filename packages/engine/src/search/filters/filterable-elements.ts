import type { Analyzer } from '../../analysis/analyzer.ts'
import { valueAnalyzer } from '../../analysis/field-analyzer.ts'
import { hasBit, newBitset, setBit } from '../../codec/bitset.ts'
import type { Column } from '../../columns/column-reader.ts'
import type { ElementSpace } from '../../segment/element-space.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { FilterRun } from '../view/search-run.ts'
import { begunWord, wholeWord, wordsOf } from '../words/value-words.ts'
import type { FilterableElements } from './filter-evaluator.ts'
import { documentsWithWordPrefix, documentsWithWords } from './word-bits.ts'

/** Elements read between two deadline checks. */
const ELEMENTS_PER_CHECK = 4096

/**
 * The elements of an `object[]` field, for filters per element. Values come from the columns by
 * element. For words of fields with many values, the postings of the documents are searched first,
 * and only the values of these documents are analysed.
 */
export function filterableElements(
  run: FilterRun,
  segment: SegmentView,
  objects: number,
): FilterableElements | undefined {
  const space = segment.reader.elements(objects)
  if (space === undefined) return undefined
  const { view } = run
  const column = (field: number) => space.column(view.schema, field, view.values[field])
  const holding = (field: number, documents: Uint32Array, wanted: readonly string[]) =>
    elementsHolding(
      run,
      space,
      column(field),
      documents,
      wanted,
      valueAnalyzer(view.analyzer, view.schema.fields[field]!),
    )
  return {
    segment: {
      docCount: space.count,
      column,
      wordsBits: (field, forms) =>
        holding(field, documentsWithWords(run, segment, field, forms), forms.map(wholeWord)),
      wordPrefixBits: (field, prefix) =>
        holding(field, documentsWithWordPrefix(run, segment, field, prefix), [begunWord(prefix)]),
      docOrdOf: noDocument,
      presenceBits: noDocument,
      elements: noDocument,
    },
    documentsOf: (elements, documents) => space.documentsOf(elements, documents),
  }
}

/** @returns the elements of the documents with a value that contains all of the words */
function elementsHolding(
  { checkDeadline }: FilterRun,
  space: ElementSpace,
  column: Column | undefined,
  documents: Uint32Array,
  wanted: readonly string[],
  analyzer: Analyzer,
): Uint32Array {
  const bits = newBitset(space.count)
  if (column === undefined) return bits
  const { owners } = space
  const { ords, isMulti, setStart, setValues } = column
  const known = new Map<number, boolean>()
  const holds = (rank: number): boolean => {
    const words = wordsOf(column.label(rank), analyzer)
    return wanted.every((word) => words.includes(word))
  }
  for (let element = 0; element < owners.length; element++) {
    if (element % ELEMENTS_PER_CHECK === 0) checkDeadline()
    const ord = ords[element]!
    if (ord === 0 || !hasBit(documents, owners[element]!)) continue
    let fits = known.get(ord)
    if (fits === undefined) {
      fits = isMulti
        ? setValues.subarray(setStart[ord]!, setStart[ord + 1]!).some(holds)
        : holds(ord - 1)
      known.set(ord, fits)
    }
    if (fits) setBit(bits, element)
  }
  return bits
}

/** Filters of elements neither name documents nor nest. */
function noDocument(): never {
  throw new Error('A filter on elements may test only their values')
}
