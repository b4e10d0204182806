import type { Analyzer, TokenSink } from './analyzer.ts'

/** Tells a sink of the tokens of a text, without making objects of them if the analyzer can. */
export function scanText(analyzer: Analyzer, text: string, sink: TokenSink): void {
  if (analyzer.scan !== undefined) {
    analyzer.scan(text, sink)
    return
  }
  for (const { form, position, span, kind, start, end } of analyzer.analyze(text)) {
    sink.token(form, position, span, kind === 'joined', start, end)
  }
}
