import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/**
 * State that is in the address: filters, ranges, tabs, pages. A link carries it, "back" undoes it.
 * The default is left out of the address.
 *
 * @param isTyped replaces the entry of the history instead of adding one: for what changes with
 * each key
 */
export function useUrlState(
  name: string,
  initial = '',
  { isTyped = false }: { readonly isTyped?: boolean } = {},
): [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams()
  const value = parameters.get(name) ?? initial
  const setValue = useCallback(
    (next: string) => {
      setParameters(
        (before) => {
          const after = new URLSearchParams(before)
          if (next === initial) after.delete(name)
          else after.set(name, next)
          return after
        },
        { replace: isTyped },
      )
    },
    [setParameters, name, initial, isTyped],
  )
  return [value, setValue]
}

/** Several at once: what is `undefined` is taken out of the address. */
export function useUrlChange(): (changes: Readonly<Record<string, string | undefined>>) => void {
  const [, setParameters] = useSearchParams()
  return useCallback(
    (changes) => {
      setParameters((before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined || value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      })
    },
    [setParameters],
  )
}
