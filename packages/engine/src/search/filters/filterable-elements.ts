import { valueAnalyzer } from '../../analysis/field-analyzer.ts'
import { hasBit, newBitset, setBit } from '../../codec/bitset.ts'
import type { Column } from '../../columns/column-reader.ts'
import type { ElementSpace } from '../../segment/element-space.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { WordList } from '../view/value-index.ts'
import type { FilterableElements } from './filter-evaluator.ts'
import { WordsQuery } from '../view/words-query.ts'
import { documentsWithWordPrefix, documentsWithWords } from './word-bits.ts'

/** Elements read between two looks at the clock. */
const ELEMENTS_PER_CHECK = 4096

/**
 * The elements of an `object[]` field, for filters per element. Values come from the columns by
 * element. For words of fields with many values, the postings of the documents are searched first,
 * and only the values of these documents are analysed.
 */
export function filterableElements(
  view: IndexView,
  segment: SegmentView,
  objects: number,
): FilterableElements | undefined {
  const space = segment.reader.elements(objects)
  if (space === undefined) return undefined
  const column = (field: number) => space.column(view.schema, field, view.values[field])
  const holding = (field: number, documents: Uint32Array, wanted: WordList, pace: Pace) => {
    const analyzer = valueAnalyzer(view.analyzer, view.schema.fields[field]!)
    const formsOf = (text: string) => view.valueWords.formsOf(text, analyzer)
    return elementsHolding(space, column(field), documents, wanted, formsOf, pace)
  }
  return {
    segment: {
      docCount: space.count,
      column,
      *wordsBits(field, forms, pace) {
        const documents = yield* documentsWithWords(view, segment, field, forms, pace)
        const wanted = forms.map((form) => ({ form, isBegun: false }))
        return yield* holding(field, documents, wanted, pace)
      },
      *wordPrefixBits(field, prefix, pace) {
        const documents = yield* documentsWithWordPrefix(view, segment, field, prefix, pace)
        return yield* holding(field, documents, [{ form: prefix, isBegun: true }], pace)
      },
      docOrdOf: noDocument,
      vectors: noDocument,
      presenceBits: noDocument,
      elements: noDocument,
    },
    documentsOf: (elements, documents) => space.documentsOf(elements, documents),
  }
}

/** @returns the elements of the documents with a value that contains all of the words */
function* elementsHolding(
  space: ElementSpace,
  column: Column | undefined,
  documents: Uint32Array,
  wanted: WordList,
  formsOf: (text: string) => readonly string[],
  pace: Pace,
): Steps<Uint32Array> {
  const bits = newBitset(space.count)
  if (column === undefined) return bits
  const { owners } = space
  const { ords, isMulti, setStart, setValues } = column
  const known = new Map<number, boolean>()
  const query = new WordsQuery([wanted])
  const holds = (rank: number): boolean => query.matches(formsOf(column.label(rank)))
  for (let element = 0; element < owners.length; element++) {
    if (element % ELEMENTS_PER_CHECK === 0) yield* pause(pace)
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
