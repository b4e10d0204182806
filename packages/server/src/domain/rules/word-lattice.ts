import type { Analyzer, Token } from '@aisle/engine'
import { isSpelling, joinedForm, joinedSpelling } from '../words/joined-spelling.ts'
import type { AnalysedQuery } from '../query/analysed-query.ts'

/**
 * A text in the form that rules compare: its words, and every spelling of several of them as one.
 * Words are the edges between nodes `0 .. length`; an edge between two nodes is one word of some
 * spelling, by its stem. "red t-shirt" has the edges red, t, shirt and, from 1 to 3, tshirt.
 */
export interface WordLattice {
  /** Number of plain words. */
  readonly length: number
  /** Edges by the node they start from. */
  readonly edges: readonly (readonly WordEdge[])[]
  /** Places in the text by plain word, in UTF-16 units. */
  readonly places: readonly { readonly start: number; readonly end: number }[]
}

interface WordEdge {
  readonly stem: string
  readonly to: number
}

export function wordLattice(text: string, analyzer: Analyzer): WordLattice {
  return latticeOf(analyzer.analyze(text), analyzer)
}

/** The lattice of a query; it ignores the words after a hyphen, which the query excludes. */
export function queryLattice({ soughtTokens, analyzer }: AnalysedQuery): WordLattice {
  return latticeOf(soughtTokens, analyzer)
}

function latticeOf(tokens: readonly Token[], analyzer: Analyzer): WordLattice {
  const words = tokens.filter((token) => token.kind !== 'joined')
  const edges: WordEdge[][] = words.map((word, i) => [
    { stem: analyzer.stem(word.form), to: i + 1 },
  ])
  const add = (from: number, to: number, form: string): void => {
    const known = edges[from]!
    const spelling = joinedSpelling(form, words.slice(from, to), analyzer)
    if (spelling === undefined || to > words.length) return
    const { stem } = spelling
    if (!known.some((edge) => edge.to === to && edge.stem === stem)) known.push({ stem, to })
  }
  const nodeAt = new Map(words.map((word, i) => [word.position, i]))
  for (const token of tokens) {
    const from = nodeAt.get(token.position)
    if (!isSpelling(token) || from === undefined) continue
    add(from, from + token.span, token.form)
  }
  words.forEach((left, i) => {
    const right = words[i + 1]
    const form = right === undefined ? undefined : joinedForm(left, right)
    if (form !== undefined) add(i, i + 2, form)
  })
  return { length: words.length, edges, places: words }
}

/** The stems with which a text may begin at a node. */
export function stemsFrom({ edges }: WordLattice, node: number): readonly string[] {
  return (edges[node] ?? []).map((edge) => edge.stem)
}

/**
 * Returns the nodes at which a text ends if it begins at a node of this one: after plain words that
 * match all of its words in some spelling.
 *
 * @returns nodes of `text`, ascending; empty if it does not occur there
 */
export function endsOf(sought: WordLattice, text: WordLattice, from: number): number[] {
  const ends = new Set<number>()
  const seen = new Set<number>()
  const walk = (node: number, at: number): void => {
    const key = node * (text.length + 1) + at
    if (seen.has(key)) return
    seen.add(key)
    if (node === sought.length) {
      ends.add(at)
      return
    }
    for (const edge of sought.edges[node]!) {
      for (const other of text.edges[at] ?? []) {
        if (edge.stem === other.stem) walk(edge.to, other.to)
      }
    }
  }
  if (sought.length > 0) walk(0, from)
  return [...ends].toSorted((a, b) => a - b)
}
