import recheck from 'recheck/lib/browser.js'

/** The longest that one pattern is looked at. */
const CHECK_MAX_MS = 20_000

/** What is known of the time that a pattern takes for the worst text. */
export type Verdict =
  | { readonly kind: 'linear' }
  /** It looks ahead or behind, which no automaton does. */
  | { readonly kind: 'unproven' }
  | { readonly kind: 'slow'; readonly text: string; readonly growth: string }

/**
 * Asks `recheck` how the time to look for a pattern grows with the text. Its engine in JavaScript
 * is asked: it needs neither Java nor the programs that come with the package.
 */
export function verdictOf(source: string, flags: string): Verdict {
  const found = recheck.checkSync(source, flags, {
    // Its other way is a search with chance in it, which proves nothing.
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
