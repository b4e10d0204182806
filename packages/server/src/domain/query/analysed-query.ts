import type { Analyzer, Token } from '@aisle/engine'
import { parseQuerySyntax, type QuerySyntax } from './query-syntax.ts'

/**
 * A query, analysed once for everything that needs its words: rules, the plan, corrections,
 * suggestions.
 */
export class AnalysedQuery {
  readonly text: string
  readonly analyzer: Analyzer
  #syntax: QuerySyntax | undefined
  #tokens: readonly Token[] | undefined
  #soughtTokens: readonly Token[] | undefined

  constructor(text: string, analyzer: Analyzer) {
    this.text = text
    this.analyzer = analyzer
  }

  /** @returns itself if the text is the same */
  with(text: string): AnalysedQuery {
    return text === this.text ? this : new AnalysedQuery(text, this.analyzer)
  }

  /** The meaning of its quotes and hyphens. */
  get syntax(): QuerySyntax {
    return (this.#syntax ??= parseQuerySyntax(this.text))
  }

  /** Tokens of the whole text, joined spellings included. */
  get tokens(): readonly Token[] {
    return (this.#tokens ??= this.analyzer.analyze(this.text))
  }

  /** Tokens of the text without exclusions; offsets are into the query. */
  get soughtTokens(): readonly Token[] {
    const { text } = this.syntax
    if (text === this.text) return this.tokens
    return (this.#soughtTokens ??= this.analyzer.analyze(text))
  }
}
