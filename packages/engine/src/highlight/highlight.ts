import type { Analyzer, Token } from '../analysis/analyzer.ts'
import { escapeHtml } from './escape-html.ts'
import { prefixEnd } from './prefix-end.ts'

/** What a search matched, as far as marking is concerned: any field, any document. */
export interface MatchWords {
  /** Every form with one of these stems. */
  readonly stems: ReadonlySet<string>
  /** These forms, whatever their stems. */
  readonly forms: ReadonlySet<string>
  /** Forms that begin so; of a word only that part is marked.. */
  readonly prefixes: readonly string[]
  /** Stems that match only side by side: both words are marked. */
  readonly pairs: readonly { readonly left: string; readonly right: string }[]
}

/** What goes around a match, and whether everything else is escaped for HTML. */
export interface Marks {
  readonly before: string
  readonly after: string
  readonly escape: boolean
}

/**
 * The whole text with its matches marked; undefined when there are none. Marks that overlap or
 * touch become one. Without the marks the result is the text, escaped if asked.
 */
export function highlightText(
  text: string,
  analyzer: Analyzer,
  words: MatchWords,
  marks: Marks,
): string | undefined {
  const tokens = analyzer.analyze(text)
  const ends = singleMatches(text, tokens, analyzer, words)
  if (words.pairs.length > 0) matchPairs(tokens, analyzer, words, ends)

  const written = marks.escape ? escapeHtml : (part: string): string => part
  let result = ''
  let markedTo = 0
  for (let i = 0; i < tokens.length; i++) {
    let end = ends[i]!
    if (end === 0) continue
    const { start } = tokens[i]!
    while (++i < tokens.length && (ends[i] === 0 || tokens[i]!.start <= end)) {
      if (ends[i]! > end) end = ends[i]!
    }
    i--
    result += written(text.slice(markedTo, start))
    result += marks.before + written(text.slice(start, end)) + marks.after
    markedTo = end
  }
  return markedTo === 0 ? undefined : result + written(text.slice(markedTo))
}

/** For each token the offset where its mark ends, 0 for none. Marks start where tokens do. */
function singleMatches(
  text: string,
  tokens: readonly Token[],
  analyzer: Analyzer,
  words: MatchWords,
): number[] {
  const { forms, stems, prefixes } = words
  const ends: number[] = []
  // Most tokens begin unlike any word wanted, and are spared the lookups.
  const beginnings = beginningBits(forms) | beginningBits(stems)
  /** The plain token at the position of the joined ones that follow it. */
  let plain: Token | undefined
  for (const token of tokens) {
    const { form } = token
    if (token.kind !== 'joined') plain = token
    const begins = (beginnings & beginningBit(form)) !== 0
    if (begins && (forms.has(form) || stems.has(analyzer.stem(form)))) ends.push(token.end)
    else ends.push(prefixes.length > 0 ? longestPrefixEnd(text, token, plain, prefixes) : 0)
  }
  return ends
}

/** A set of first letters in 32 bits: it may hold too much, never too little. */
function beginningBits(words: ReadonlySet<string>): number {
  let bits = 0
  for (const word of words) bits |= beginningBit(word)
  return bits
}

/** A stem begins as its forms do (see `Language`), so both may be compared. */
function beginningBit(word: string): number {
  return 1 << (word.charCodeAt(0) & 31)
}

function longestPrefixEnd(
  text: string,
  token: Token,
  plain: Token | undefined,
  prefixes: readonly string[],
): number {
  let end = 0
  for (const prefix of prefixes) {
    if (prefix === '' || !token.form.startsWith(prefix)) continue
    if (token.kind === 'joined') {
      // Who types "t" means the t of t-shirt, who types "tsh" all of it.
      if (plain === undefined || !plain.form.startsWith(prefix)) end = token.end
    } else {
      end = Math.max(end, prefixEnd(text, token, prefix))
    }
  }
  return end
}

function matchPairs(
  tokens: readonly Token[],
  analyzer: Analyzer,
  words: MatchWords,
  ends: number[],
): void {
  const stems = tokens.map((token) => analyzer.stem(token.form))
  for (const { left, right } of words.pairs) {
    for (let i = 0; i < tokens.length; i++) {
      if (stems[i] !== left) continue
      const next = tokens[i]!.position + 1
      for (let j = i + 1; j < tokens.length && tokens[j]!.position <= next; j++) {
        if (stems[j] !== right || tokens[j]!.position !== next) continue
        ends[i] = tokens[i]!.end
        ends[j] = tokens[j]!.end
      }
    }
  }
}
