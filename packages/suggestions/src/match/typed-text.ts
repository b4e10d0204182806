import type { Analyzer } from '@aisle/engine'

/** A query while it is typed. */
export interface TypedText {
  /** Folded words, in order. */
  readonly words: readonly string[]
  /** Their stems. */
  readonly stems: readonly string[]
  /** The last word is a prefix: no space follows it. */
  readonly isOpen: boolean
  /** The folded words joined by blanks: the prefix of suggestions. */
  readonly folded: string
}

export function readTyped(q: string, analyzer: Analyzer): TypedText {
  const tokens = analyzer.analyze(q).filter(({ kind }) => kind !== 'joined')
  const words = tokens.map(({ form }) => form)
  const last = tokens.at(-1)
  return {
    words,
    stems: words.map((word) => analyzer.stem(word)),
    isOpen: last?.end === q.length,
    folded: words.join(' '),
  }
}
