import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/**
 * State in the address: filters, ranges, tabs, pages. A link carries it, and "back" undoes a
 * change. Defaults are left out.
 *
 * @param isTyped replaces the history entry instead of adding one; for values that change with each
 * key
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

/** Several values at once; `undefined` removes one. */
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
