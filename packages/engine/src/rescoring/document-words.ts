import { encodeImpact } from '../scoring/formula.ts'
import type { DocumentWords, CandidateDocument, PlacedToken } from './candidate-document.ts'
import { fieldLength } from './candidate-document.ts'

const IMPACT_BITS = 8

/** @param impact below 256 */
function packedImpact(field: number, impact: number): number {
  return (field << IMPACT_BITS) | impact
}

/** Impacts of a stem by field ordinal; 0 if a field does not have it. */
export function impactsIn(
  { impacts }: DocumentWords,
  stem: string,
  fieldCount: number,
): readonly number[] {
  const byField: number[] = []
  for (let field = 0; field < fieldCount; field++) byField.push(0)
  const packed = impacts.get(stem) ?? []
  for (const one of typeof packed === 'number' ? [packed] : packed) {
    const field = one >> IMPACT_BITS
    if (field < fieldCount) byField[field] = one & ((1 << IMPACT_BITS) - 1)
  }
  return byField
}

const known = new WeakMap<CandidateDocument, DocumentWords>()

/** Made once per document. */
export function wordsOf(document: CandidateDocument): DocumentWords {
  const { rest } = document
  if (rest !== undefined) return (rest.words ??= gather(document))
  let words = known.get(document)
  if (words === undefined) known.set(document, (words = gather(document)))
  return words
}

function gather(document: CandidateDocument): DocumentWords {
  const forms = new Map<string, PlacedToken>()
  const impacts = new Map<string, number | readonly number[]>()
  for (const [field, tokens] of document.tokens.entries()) {
    if (tokens.length === 0) continue
    const termFreqs = new Map<string, number>()
    for (const token of tokens) {
      if (!forms.has(token.form)) forms.set(token.form, token)
      termFreqs.set(token.stem, (termFreqs.get(token.stem) ?? 0) + 1)
    }
    const length = fieldLength(document, field)
    for (const [stem, termFreq] of termFreqs) {
      const packed = packedImpact(field, encodeImpact(termFreq, length))
      const before = impacts.get(stem)
      if (before === undefined) impacts.set(stem, packed)
      else impacts.set(stem, typeof before === 'number' ? [before, packed] : [...before, packed])
    }
  }
  return { forms: [...forms.values()], impacts }
}
