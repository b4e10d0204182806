import type { Analyzer, Token } from '@aisle/engine'
import { parseQuerySyntax, type QuerySyntax } from './query-syntax.ts'

/**
 * A query, analysed once for all who ask for its words: rules, the plan, corrections, suggestions.
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

  /** @returns itself when the text is the same */
  with(text: string): AnalysedQuery {
    return text === this.text ? this : new AnalysedQuery(text, this.analyzer)
  }

  /** What its quotes and hyphens mean. */
  get syntax(): QuerySyntax {
    return (this.#syntax ??= parseQuerySyntax(this.text))
  }

  /** Of the whole text, joined spellings included. */
  get tokens(): readonly Token[] {
    return (this.#tokens ??= this.analyzer.analyze(this.text))
  }

  /** Of the text without exclusions; offsets are those of the query. */
  get soughtTokens(): readonly Token[] {
    const { text } = this.syntax
    if (text === this.text) return this.tokens
    return (this.#soughtTokens ??= this.analyzer.analyze(text))
  }
}
