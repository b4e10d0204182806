import type { Analyzer, TokenSink } from './analyzer.ts'

/** Streams the tokens of a text to a sink, without objects if the analyzer supports it. */
export function scanText(analyzer: Analyzer, text: string, sink: TokenSink): void {
  if (analyzer.scan !== undefined) {
    analyzer.scan(text, sink)
    return
  }
  for (const { form, position, span, kind, start, end } of analyzer.analyze(text)) {
    sink.token(form, position, span, kind === 'joined', start, end)
  }
}
