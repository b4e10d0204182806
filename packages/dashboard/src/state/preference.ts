import { useStored } from './stored.ts'

/** A display preference in this browser: columns, density, the language of samples. */
export function usePreference<Value>(
  name: string,
  initial: Value,
): [Value, (value: Value) => void] {
  const [value, set] = useStored(localStorage, `aisle.${name}`, initial)
  return [value, set]
}
