import { isArrayType } from '../../schema/schema.ts'
import { GrowableU32 } from '../../codec/growable.ts'
import { impactLength, lengthLevel } from '../../scoring/formula.ts'
import { runWords } from '../filters/conditions.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { forEachRun } from '../words/word-runs.ts'

const NONE = new Uint32Array(0)

/**
 * "Exact value" in docs/ranking.md: the documents of a segment, dead ones included, with a value
 * that equals the query word for word. Cheap for most queries, because the impact of a word tells
 * the length of its field: a title of twelve words is never read for a query of two.
 *
 * @returns docOrds, ascending
 */
export function exactValueDocuments(run: SearchRun, segment: SegmentView): Uint32Array {
  const { view, checkDeadline } = run
  const { exactValue, exactValueFields, fieldWeights } = run.plan
  if (exactValue.length === 0) return NONE
  const { reader } = segment
  const counts = (field: number) => exactValueFields[field] === true && fieldWeights[field]! > 0
  const fields = Uint8Array.from(reader.textFields, (field) => (counts(field) ? 1 : 0))
  const words = runWords(
    view,
    segment,
    exactValue.map((form) => ({ form, stem: form })),
    false,
  )
  if (words === undefined) return NONE
  const { length } = exactValue
  const codes = segment.codesFor(`${lengthLevel(length)} ${fields.join('')}`, () =>
    codesOfLength(view, segment, fields, length),
  )
  const docOrds = new GrowableU32(64)
  forEachRun(reader, words, { codes, fields, wholeValue: true }, checkDeadline, (docOrd) =>
    docOrds.push(docOrd),
  )
  return docOrds.data.subarray(0, docOrds.length)
}

/**
 * By impact code, see `RunRule`: 1 where a field can have a value of this length, 2 where it
 * certainly is one value of one word.
 */
function codesOfLength(
  view: IndexView,
  { reader }: SegmentView,
  fields: Uint8Array,
  length: number,
): Uint8Array {
  const width = fields.length
  const level = lengthLevel(length)
  const isArray = reader.textFields.map((field) => isArrayType(view.schema.fields[field]!.type))
  const codes = new Uint8Array(reader.impactCount)
  for (let code = 0; code < codes.length; code++) {
    for (let field = 0; field < width; field++) {
      const impact = reader.impacts[code * width + field]!
      if (impact === 0 || fields[field] === 0) continue
      const total = impactLength(impact)
      if (total === 1 && length === 1) codes[code] = 2
      else if (codes[code] === 0 && (isArray[field]! ? total >= level : total === level)) {
        codes[code] = 1
      }
    }
  }
  return codes
}
