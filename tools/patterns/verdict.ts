import recheck from 'recheck/lib/browser.js'

/** Timeout per pattern by the clock: most take a few milliseconds, beside other work seconds. */
const CHECK_MAX_MS = 120_000

/** The known complexity of a pattern for the worst text. */
export type Verdict =
  | { readonly kind: 'linear' }
  /** It has lookahead or lookbehind, which an automaton cannot have. */
  | { readonly kind: 'unproven' }
  | { readonly kind: 'slow'; readonly text: string; readonly growth: string }

/**
 * Asks `recheck` how the matching time of a pattern grows with the text, by its JavaScript engine,
 * which needs neither Java nor the package's binaries.
 */
export function verdictOf(source: string, flags: string): Verdict {
  const found = recheck.checkSync(source, flags, {
    // Its other method is a random search, which proves nothing.
    checker: 'automaton',
    timeout: CHECK_MAX_MS,
  })
  if (found.status === 'safe') return { kind: 'linear' }
  if (found.status === 'vulnerable') {
    return { kind: 'slow', text: found.attack.pattern, growth: found.complexity.summary }
  }
  const { kind } = found.error
  return kind === 'unsupported'
    ? { kind: 'unproven' }
    : { kind: 'slow', text: '', growth: `not checked: ${kind}` }
}
