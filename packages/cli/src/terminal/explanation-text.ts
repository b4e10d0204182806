import { printable } from './style.ts'
import { count, counted } from './table.ts'

/** As the service answers it with `explain`; docs/explain.md says what the numbers are. */
export interface Explanation {
  readonly tier: number
  readonly exact_value: number
  readonly words: readonly Word[]
  readonly pairs: readonly { readonly words: readonly string[]; readonly points: number }[]
  readonly leading?: readonly { readonly word: string; readonly points: number }[]
  readonly boost?: {
    readonly factor: number
    readonly rules: readonly {
      readonly id: string
      readonly filter_by: string
      readonly weight: number
    }[]
  }
  readonly popularity?: { readonly factor: number; readonly level: number; readonly appeal: number }
  readonly learning?: {
    readonly factor: number
    readonly clicks: number
    readonly expected: number
  }
}

interface Word {
  readonly word: string
  readonly known: boolean
  readonly documents: number
  readonly weight: number
  readonly points: number
  readonly alternatives: readonly {
    readonly variant: string
    readonly forms: readonly string[]
    readonly quality: number
    readonly counted: boolean
    readonly fields: readonly {
      readonly field: string
      readonly weight: number
      readonly term_freq: number
    }[]
  }[]
}

interface Node {
  readonly text: string
  readonly children: readonly Node[]
}

/**
 * Shows why a hit has its score, as a tree: the parts of the sum, and under each word where it was
 * found.
 */
export function explanationLines(score: number, explanation: Explanation): string[] {
  const { tier, exact_value: exact, words, pairs, leading = [] } = explanation
  const { boost, popularity, learning } = explanation
  const leaf = (text: string): Node => ({ text, children: [] })
  const nodes: Node[] = []
  if (tier > 0) nodes.push(leaf(`${count(tier)} for having all significant words`))
  if (exact > 0) nodes.push(leaf(`${count(exact)} for a field value that equals the query`))
  nodes.push(...words.map(wordNode))
  for (const { words: two, points } of pairs) {
    nodes.push(leaf(`${count(points)} for "${two.join(' ')}" side by side`))
  }
  for (const { word, points } of leading) {
    nodes.push(leaf(`${count(points)} for "${word}" before what the title says it is for`))
  }
  if (boost !== undefined) {
    nodes.push({
      text: `× ${round(boost.factor)} by rules`,
      children: boost.rules.map(({ id, filter_by: filter, weight }) =>
        leaf(`× ${round(weight)} by "${id}"${filter === '' ? '' : `: ${filter}`}`),
      ),
    })
  }
  if (popularity !== undefined) {
    const { factor, level, appeal } = popularity
    nodes.push(leaf(`× ${round(factor)} by popularity: level ${level}, appeal ${round(appeal)}`))
  }
  if (learning !== undefined) {
    const { factor, clicks, expected } = learning
    const why = `clicked ${round(clicks)} times for this query, ${round(expected)} expected`
    nodes.push(leaf(`× ${round(factor)} by learning: ${why}`))
  }
  return [`score ${count(score)}`, ...branches(nodes)].map(printable)
}

function wordNode({ word, known, documents, weight, points, alternatives }: Word): Node {
  const found = known ? `in ${counted(documents, 'document')}, weight ${round(weight)}` : 'unknown'
  return {
    text: `${count(points)} for "${word}" (${found})`,
    children: alternatives.map(({ variant, forms, quality, counted: counts, fields }) => {
      const places = fields.map(({ field, weight: fieldWeight, term_freq: times }) => {
        const often = times === 1 ? '' : ` ${times} times`
        return `${field}${often} (weight ${round(fieldWeight)})`
      })
      const beside = counts ? '' : ', does not count beside the others'
      const found = forms.length === 0 ? unnamedForm(word, variant) : quotedList(forms)
      const where = places.length === 0 ? '' : ` in ${places.join(', ')}`
      return {
        text: `${variant} ${found}${where}; quality ${round(quality)}${beside}`,
        children: [],
      }
    }),
  }
}

/** The service does not name the words that it found for very frequent prefixes and infixes. */
function unnamedForm(word: string, variant: string): string {
  return variant === 'infix' ? `"…${word}…"` : `"${word}…"`
}

function quotedList(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ')
}

function branches(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ text, children }, i) => {
    const isLast = i === nodes.length - 1
    const below = branches(children).map((line) => `${isLast ? '   ' : '│  '}${line}`)
    return [`${isLast ? '└─ ' : '├─ '}${text}`, ...below]
  })
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)))
}
