import { CHINESE_LETTERS } from './chinese-letters.ts'

/** Tags of languages with Chinese characters, traditional or simplified. */
export const CHINESE_LANGUAGES: ReadonlySet<string> = new Set(['zh', 'cmn', 'yue'])

/** The stem of a text in either script: 漢字 and 汉字. */
export function chineseStem(form: string): string {
  return inSimplified(form)
}

/** The text in simplified characters, with the same length in UTF-16 units. */
export function inSimplified(text: string): string {
  let simplified = ''
  let copiedTo = 0
  for (let i = 0; i < text.length; i++) {
    const other = letters().simplified.get(text[i]!)
    if (other === undefined) continue
    simplified += text.slice(copiedTo, i) + other
    copiedTo = i + 1
  }
  return copiedTo === 0 ? text : simplified + text.slice(copiedTo)
}

/** See `Language`. */
export function chineseFirstLetters(stem: string): string {
  const first = String.fromCodePoint(stem.codePointAt(0)!)
  return first + (letters().written.get(first) ?? '')
}

/** Created on first use. */
let table: LetterTable | undefined

interface LetterTable {
  readonly simplified: ReadonlyMap<string, string>
  /** The inverse: all characters that a simplified one replaces. */
  readonly written: ReadonlyMap<string, string>
}

function letters(): LetterTable {
  if (table !== undefined) return table
  const simplified = new Map<string, string>()
  const written = new Map<string, string>()
  for (let i = 0; i < CHINESE_LETTERS.length; i += 2) {
    const [letter, other] = [CHINESE_LETTERS[i]!, CHINESE_LETTERS[i + 1]!]
    simplified.set(letter, other)
    written.set(other, (written.get(other) ?? '') + letter)
  }
  table = { simplified, written }
  return table
}
