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
      const changes = { [name]: next === initial ? undefined : next }
      setParameters((before) => changed(before, changes), { replace: isTyped })
    },
    [setParameters, name, initial, isTyped],
  )
  return [value, setValue]
}

type Changes = Readonly<Record<string, string | undefined>>

/** Several values at once; `undefined` or an empty text removes one. */
export function useUrlChange(): (changes: Changes) => void {
  const [, setParameters] = useSearchParams()
  return useCallback(
    (changes) => setParameters((before) => changed(before, dropEmpty(changes))),
    [setParameters],
  )
}

function dropEmpty(changes: Changes): Changes {
  const entries = Object.entries(changes)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === '' ? undefined : value]),
  )
}

/** The parameters after the changes; the given ones stay as they are. */
export function changed(before: URLSearchParams, changes: Changes): URLSearchParams {
  const after = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) after.delete(name)
    else after.set(name, value)
  }
  return after
}
