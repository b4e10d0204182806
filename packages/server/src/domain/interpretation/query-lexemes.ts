import type { QueryPart } from '../query/query-syntax.ts'

/** A part of a query as prices are read: a number, a word, a sign. */
export interface Lexeme extends QueryPart {
  readonly kind: 'number' | 'word' | 'currency' | 'dash' | 'other'
  /** Folded. */
  readonly text: string
  /** Of a number. */
  readonly value: number
  /** Whether a space, or nothing, precedes it. */
  readonly isSpaced: boolean
}

type Kind = Lexeme['kind']

/** Letters of a currency before its sign (R$, US$). */
const CURRENCY_LETTERS_MAX = 2
const DASHES = '-–—'

/** Splits a text into numbers, words and signs, in one pass. */
export function lexemesOf(text: string, fold: (text: string) => string): Lexeme[] {
  const lexemes: Lexeme[] = []
  let isSpaced = true
  for (let at = 0; at < text.length;) {
    const char = String.fromCodePoint(text.codePointAt(at)!)
    if (/\s/u.test(char)) {
      isSpaced = true
      at += char.length
      continue
    }
    const kind = kindOf(char)
    const end = kind === 'number' || kind === 'word' ? endOf(text, at, kind) : at + char.length
    const before = lexemes.at(-1)
    const isSuffix = kind === 'currency' && !isSpaced && before?.kind === 'word'
    if (isSuffix && before.end - before.start <= CURRENCY_LETTERS_MAX) {
      lexemes[lexemes.length - 1] = { ...before, kind, end }
    } else {
      const part = text.slice(at, end)
      const value = kind === 'number' ? amountOf(part) : 0
      const folded = kind === 'word' ? fold(part) : part
      lexemes.push({ kind, text: folded, value, isSpaced, start: at, end })
    }
    isSpaced = false
    at = end
  }
  return lexemes
}

function kindOf(char: string): Kind {
  if (/[0-9]/.test(char)) return 'number'
  if (/[\p{L}\p{M}]/u.test(char)) return 'word'
  if (/\p{Sc}/u.test(char)) return 'currency'
  return DASHES.includes(char) ? 'dash' : 'other'
}

/** Separators between digits belong to a number. */
function endOf(text: string, from: number, kind: 'number' | 'word'): number {
  let at = from
  while (at < text.length) {
    const char = String.fromCodePoint(text.codePointAt(at)!)
    const isSeparator = kind === 'number' && ".,'’".includes(char)
    if (isSeparator ? !/[0-9]/.test(text[at + 1] ?? '') : kindOf(char) !== kind) break
    at += char.length
  }
  return at
}

/**
 * The value of a number in any notation: the last separator is of decimals, unless three digits
 * follow it, or it occurs twice.
 */
function amountOf(text: string): number {
  const plain = text.replaceAll(/['’]/g, '')
  const at = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (at < 0) return Number(plain)
  const decimals = plain.slice(at + 1)
  const isRepeated = plain.indexOf(plain[at]!) < at
  const whole = plain.slice(0, at).replaceAll(/[.,]/g, '')
  const hasOther = /[.,]/.test(plain.slice(0, at))
  if (isRepeated || (decimals.length === 3 && !hasOther)) return Number(whole + decimals)
  return Number(`${whole}.${decimals}`)
}
