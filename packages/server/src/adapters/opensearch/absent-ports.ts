import { ApiError } from '@aisle/contract'

/**
 * A port that no node of a cluster has yet. Each of its methods says so, to who asked for it: 503
 * with the reason, never half an answer.
 *
 * @param what as in "… on a cluster yet"
 * @param quiet methods that nobody waits for, with what they give instead
 */
export function absentPort<Port extends object>(what: string, quiet: Partial<Port> = {}): Port {
  return new Proxy(quiet, {
    get: (given, name) =>
      (given as Record<string | symbol, unknown>)[name] ??
      // Nothing to wait for: `await` asks every object.
      (name === 'then'
        ? undefined
        : () => {
            throw new ApiError('unavailable', `${what} on a cluster yet`)
          }),
  }) as Port
}
