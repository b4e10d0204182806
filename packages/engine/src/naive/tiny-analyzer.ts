import type { Analyzer, Token } from '../analysis/analyzer.ts'

/**
 * A minimal analyzer for tests: words are runs of letters and digits; `a-b` and `a/b` are also
 * `ab`; a number and the letters after it are also split (`10mm`: 10, mm); mm, cm and kg are units
 * after a number; a stem is a form without its `s`, `ing` or `ning`; compounds have s or o between
 * their parts.
 */
export const tinyAnalyzer: Analyzer = {
  language: 'en',
  name: 'en',
  analyze,
  stem: (form) => form.replace(/(?<=...)(?:ning|ing|s)$/u, ''),
  isStopword: (form) => STOPWORDS.has(form),
  isPlural: (a, b) => a.replace(/s$/, '') === b.replace(/s$/, ''),
  compounds: {
    links: ['s', 'o'],
    wordLengthMin: 4,
    restLengthMin: 3,
    endings: new Map([['table', /d$/]]),
  },
  fold,
}

const STOPWORDS = new Set(['the', 'for', 'with'])
const UNITS = new Set(['mm', 'cm', 'kg'])

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

function analyze(text: string): Token[] {
  const tokens: Token[] = []
  let position = 0
  // A chunk has no spaces: words with single hyphens or slashes between them.
  for (const chunk of text.matchAll(/[\p{L}\p{N}\p{M}]+(?:[-/][\p{L}\p{N}\p{M}]+)*/gu)) {
    const parts = [...chunk[0].matchAll(/(?<=^|[-/])\p{N}+(?=\p{L})|[\p{L}\p{N}\p{M}]+/gu)]
    const words: Token[] = parts.map((part, i) => {
      const form = fold(part[0])
      const start = chunk.index + part.index
      return {
        form,
        position: position + i,
        span: 1,
        start,
        end: start + part[0].length,
        kind: 'word',
      }
    })
    const first = words[0]!
    tokens.push(first)
    if (words.length > 1) {
      const form = words.map((word) => word.form).join('')
      const end = chunk.index + chunk[0].length
      tokens.push({ ...first, form, span: words.length, end, kind: 'joined' })
    }
    tokens.push(...words.slice(1))
    position += words.length
  }
  return tokens
    .filter((token) => token.form !== '')
    .map((token, _, all) => {
      const before = all.find((other) => other.position === token.position - 1)
      const isUnit = UNITS.has(token.form) && before !== undefined && /^\p{N}+$/u.test(before.form)
      return isUnit ? { ...token, kind: 'unit' } : token
    })
}
