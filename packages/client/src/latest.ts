/**
 * For search as you type: each call gives up the one before, whose promise resolves to `undefined`.
 * So an answer that arrives is that of the newest text.
 *
 * @param ask gets the signal that gives it up, then the arguments of the call
 */
export function latest<Args extends readonly unknown[], Answer>(
  ask: (signal: AbortSignal, ...args: Args) => Promise<Answer>,
): (...args: Args) => Promise<Answer | undefined> {
  let newest: AbortController | undefined
  return async (...args) => {
    newest?.abort()
    const own = new AbortController()
    newest = own
    try {
      const answer = await ask(own.signal, ...args)
      return own.signal.aborted ? undefined : answer
    } catch (error) {
      if (own.signal.aborted) return undefined
      throw error
    }
  }
}
