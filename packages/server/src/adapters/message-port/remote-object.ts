import type { ArgumentsOf, CallableOf } from './messages.ts'
import type { PortCalls } from './port-calls.ts'

/** Wraps a call, for example in a limit or a measurement. */
export type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

/**
 * A proxy for an object of another thread. Only its interface must be written: a method added to it
 * is forwarded like the others. It cannot be spread, since it does not know the names of its
 * methods.
 *
 * @param own methods that replace the forwarded ones
 */
export function remoteObject<Targets extends object, T extends keyof Targets & string>(
  calls: PortCalls<Targets>,
  target: T,
  around: Around = (call) => call(),
  own: Partial<Targets[T]> = {},
): Targets[T] {
  type Name = CallableOf<Targets[T]>
  const send =
    (name: Name) =>
    (...args: ArgumentsOf<Targets[T][Name]>): Promise<unknown> =>
      around(() => calls.call(target, name, args))
  return new Proxy(own, {
    get(methods, name) {
      const method: unknown = Reflect.get(methods, name)
      // Lookups that are not methods: `await` reads `then`, printing reads symbols.
      if (method !== undefined || typeof name === 'symbol' || name === 'then') return method
      return send(name as Name)
    },
  }) as Targets[T]
}
