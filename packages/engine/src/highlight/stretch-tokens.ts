import type { Analyzer, TokenSink } from '../analysis/analyzer.ts'
import { scanText } from '../analysis/scan-text.ts'

/** A token as a `TokenSink` is told of it. */
interface StretchToken {
  readonly form: string
  readonly position: number
  readonly span: number
  readonly isJoined: boolean
  readonly start: number
  readonly end: number
}

/** Stretches kept by analyzer, then all are forgotten: a megabyte. */
const STRETCHES_MAX = 4_096
/** Longer ones hardly come again. */
const STRETCH_LENGTH_MAX = 24

const kept = new WeakMap<Analyzer, Map<string, readonly StretchToken[]>>()

/**
 * `scanText` for a stretch of a text. Measures and numbers of parts (18 in., 6 ft., 4-Pack) stand
 * in many documents, and to read one takes the analyzer longer than all words around it.
 */
export function scanStretch(analyzer: Analyzer, text: string, sink: TokenSink): void {
  if (text.length > STRETCH_LENGTH_MAX) {
    scanText(analyzer, text, sink)
    return
  }
  let stretches = kept.get(analyzer)
  if (stretches === undefined) kept.set(analyzer, (stretches = new Map()))
  let tokens = stretches.get(text)
  if (tokens === undefined) {
    const found = new FoundTokens()
    scanText(analyzer, text, found)
    tokens = found.tokens
    if (stretches.size === STRETCHES_MAX) stretches.clear()
    stretches.set(text, tokens)
  }
  for (const { form, position, span, isJoined, start, end } of tokens) {
    sink.token(form, position, span, isJoined, start, end)
  }
}

class FoundTokens implements TokenSink {
  readonly tokens: StretchToken[] = []

  word(
    text: string,
    from: number,
    to: number,
    _hash: number,
    position: number,
    start: number,
    end: number,
  ): void {
    this.token(text.slice(from, to), position, 1, false, start, end)
  }

  token(
    form: string,
    position: number,
    span: number,
    isJoined: boolean,
    start: number,
    end: number,
  ): void {
    this.tokens.push({ form, position, span, isJoined, start, end })
  }
}
