import {
  WORD_WEIGHT_MEASURE_NUMBER,
  WORD_WEIGHT_UNIT,
  type Analyzer,
  type QuerySlot,
  type Token,
} from '@aisle/engine'
import { covers } from '../words/measures.ts'

/**
 * Adds the number and the unit of each measure after the slots of a query: they only rank what
 * other words have found. Of boards for `oak board 10 ft`, one of "10 x 12 ft" is nearer than one
 * of "6 ft". A query with only measures has none; a part that is a word of the query elsewhere is
 * not added.
 *
 * @param words the measures among them
 * @param slotOfWord the slot of each of the words
 */
export function withMeasureParts(
  slots: readonly QuerySlot[],
  tokens: readonly Token[],
  words: readonly Token[],
  slotOfWord: readonly QuerySlot[],
  analyzer: Analyzer,
): readonly QuerySlot[] {
  const measures = words.filter(({ measure }) => measure === true)
  if (measures.length === 0) return slots
  const wholes = new Set(slotOfWord.filter((_, i) => words[i]!.measure === true))
  if (slots.every((slot) => slot.stopword || wholes.has(slot))) return slots
  const stems = new Set(slots.map(({ stem }) => stem))
  return slots.flatMap((slot) => {
    const measure = words[slotOfWord.indexOf(slot)]
    if (measure === undefined || !wholes.has(slot)) return [slot]
    const parts = partsOf(slot, measure, tokens, analyzer).filter(({ stem }) => !stems.has(stem))
    for (const { stem } of parts) stems.add(stem)
    return [slot, ...parts]
  })
}

function partsOf(
  whole: QuerySlot,
  measure: Token,
  tokens: readonly Token[],
  analyzer: Analyzer,
): QuerySlot[] {
  const inside = tokens.filter((token) => token.measure !== true && covers(measure, token.position))
  const number = inside.find(({ kind }) => kind !== 'joined')!
  return inside
    .filter(({ kind }) => kind !== 'joined')
    .map(({ form, position }) => {
      const others = inside.filter((one) => one.position === position && isOtherSpelling(one))
      const part: QuerySlot = {
        ...whole,
        form,
        stem: analyzer.stem(form),
        weight: position === number.position ? WORD_WEIGHT_MEASURE_NUMBER : WORD_WEIGHT_UNIT,
        stopword: true,
        // A document with the measure has its parts, in any notation (2.5 in, 2-1/2 in).
        joined: [
          { form: whole.form, stem: whole.stem },
          ...whole.joined,
          ...others.map((one) => ({ form: one.form, stem: analyzer.stem(one.form) })),
        ],
        prefix: 'off',
      }
      return position === number.position ? part : { ...part, unitOf: analyzer.stem(number.form) }
    })
}

/** Whether a token is another spelling at one position: `liter` for the l in "5 l". */
function isOtherSpelling({ kind, span, bigram, bare }: Token): boolean {
  return kind === 'joined' && span === 1 && bigram !== true && bare !== true
}
