import { useCallback, useState } from 'react'

/**
 * A value in a storage of the browser; without one (private windows) it lives as long as the page.
 */
export function useStored<Value>(
  storage: Storage,
  key: string,
  initial: Value,
): [Value, (value: Value) => void, () => void] {
  const [held, setHeld] = useState(() => ({ key, value: readStored(storage, key, initial) }))
  // Another key is another value.
  const current = held.key === key ? held.value : readStored(storage, key, initial)
  const set = useCallback(
    (value: Value) => {
      setHeld({ key, value })
      writeStored(storage, key, value)
    },
    [storage, key],
  )
  const clear = useCallback(() => {
    storage.removeItem(key)
    setHeld({ key: '', value: initial })
  }, [storage, key, initial])
  return [current, set, clear]
}

/** A display preference in this browser: columns, density, the language of samples. */
export function usePreference<Value>(
  name: string,
  initial: Value,
): [Value, (value: Value) => void] {
  const [value, set] = useStored(localStorage, `aisle.${name}`, initial)
  return [value, set]
}

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** Does nothing if the storage is full or not allowed: the page works without it. */
export function writeStored(storage: Store, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // The value is kept in the page.
  }
}

/** @returns `initial` if nothing readable is stored */
export function readStored<Value>(storage: Store, key: string, initial: Value): Value {
  try {
    const text = storage.getItem(key)
    return text === null ? initial : (JSON.parse(text) as Value)
  } catch {
    return initial
  }
}
