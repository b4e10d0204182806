import type { ArgumentsOf, CallableOf } from './messages.ts'
import type { PortCalls } from './port-calls.ts'

/** Puts something around a call: a limit, a measure. */
export type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

/**
 * An object of another thread, to be called as if it were here. Its interface is all that there is
 * to write: a method that is added to it is sent like the others. It cannot be spread, since it
 * does not know the names of its methods.
 *
 * @param own methods that do something of their own instead
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
      // What is no method: a promise would be asked for `then`, a printed object for symbols.
      if (method !== undefined || typeof name === 'symbol' || name === 'then') return method
      return send(name as Name)
    },
  }) as Targets[T]
}
