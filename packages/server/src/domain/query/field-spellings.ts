import type { Analyzer, JoinedSpelling, PlannedWord, Token } from '@aisle/engine'
import { isSpelling, joinedSpelling } from '../words/joined-spelling.ts'

interface Spellings {
  readonly joined: JoinedSpelling[]
  readonly apart: (readonly PlannedWord[])[]
}

/**
 * Finds the words of a query in a field with its own separators: several adjacent words (3.5 with a
 * point as separator: 3, 5), or one where the store has several.
 *
 * @param tokens of the query as the field has them, joined ones too
 * @param words of the query, with the slot of each
 * @param own analyzer of the field
 */
export function addFieldSpellings(
  tokens: readonly Token[],
  words: readonly Token[],
  slotOfWord: readonly Spellings[],
  own: Analyzer,
): void {
  const plain = tokens.filter(({ kind }) => kind !== 'joined')
  words.forEach((word, i) => {
    const parts = within(plain, word)
    if (parts.length < 2) return
    const spelling = parts.map(({ form }) => ({ form, stem: own.stem(form) }))
    const key = textOf(spelling)
    const { apart } = slotOfWord[i]!
    if (!apart.some((other) => textOf(other) === key)) apart.push(spelling)
  })
  for (const token of tokens) {
    if (token.kind === 'joined' && !isSpelling(token)) continue
    const covered = within(words, token)
    const isKnown = covered.length === 1 && covered[0]!.form === token.form
    const spelling = isKnown ? undefined : joinedSpelling(token.form, covered, own)
    if (covered.length === 0 || spelling === undefined) continue
    const first = words.indexOf(covered[0]!)
    for (const { joined } of new Set(slotOfWord.slice(first, first + covered.length))) {
      if (joined.every((other) => other.form !== spelling.form)) joined.push(spelling)
    }
  }
}

/** Returns the words that a token consists of; none if they do not cover it from start to end. */
function within(words: readonly Token[], { start, end }: Token): readonly Token[] {
  const inside = words.filter((word) => word.start >= start && word.end <= end)
  return inside[0]?.start === start && inside.at(-1)?.end === end ? inside : []
}

function textOf(words: readonly PlannedWord[]): string {
  return words.map(({ form }) => form).join(' ')
}
