import { encodeImpact } from '../scoring/formula.ts'
import type { NaiveDocument } from './naive-document.ts'
import { fieldLength } from './naive-document.ts'

/** A form that a document holds. */
export interface HeldForm {
  readonly form: string
  readonly stem: string
  /** Which of all forms of the document it is, in the order in which they first stand there. */
  readonly rank: number
}

/** A stem group in a document. */
export interface HeldStem {
  readonly forms: HeldForm[]
  /** For each field that has it: the ordinal of the field, then the impact. */
  readonly impacts: number[]
}

/** The words of a document, each once: scores ask for them again and again. */
export interface DocumentWords {
  readonly forms: readonly HeldForm[]
  readonly stems: ReadonlyMap<string, HeldStem>
}

const known = new WeakMap<NaiveDocument, DocumentWords>()

/** Made once for each document. */
export function wordsOf(document: NaiveDocument): DocumentWords {
  let words = known.get(document)
  if (words === undefined) known.set(document, (words = gather(document)))
  return words
}

function gather(document: NaiveDocument): DocumentWords {
  const forms: HeldForm[] = []
  const stems = new Map<string, HeldStem>()
  for (const [field, tokens] of document.tokens.entries()) {
    const termFreqs = new Map<string, number>()
    for (const { form, stem } of tokens) {
      let held = stems.get(stem)
      if (held === undefined) stems.set(stem, (held = { forms: [], impacts: [] }))
      if (!held.forms.some((one) => one.form === form)) {
        const first = { form, stem, rank: forms.length }
        forms.push(first)
        held.forms.push(first)
      }
      termFreqs.set(stem, (termFreqs.get(stem) ?? 0) + 1)
    }
    if (tokens.length === 0) continue
    const length = fieldLength(document, field)
    for (const [stem, termFreq] of termFreqs) {
      stems.get(stem)!.impacts.push(field, encodeImpact(termFreq, length))
    }
  }
  return { forms, stems }
}
