import { useCallback, useState } from 'react'

/**
 * A value in a storage of the browser; without one (private windows) it lives as long as the page.
 */
export function useStored<Value>(
  storage: Storage,
  key: string,
  initial: Value,
): [Value, (value: Value) => void, () => void] {
  const [held, setHeld] = useState(() => ({ key, value: read(storage, key, initial) }))
  // Another key is another value.
  const current = held.key === key ? held.value : read(storage, key, initial)
  const set = useCallback(
    (value: Value) => {
      setHeld({ key, value })
      try {
        storage.setItem(key, JSON.stringify(value))
      } catch {
        // The storage is full or not allowed: the page works without it.
      }
    },
    [storage, key],
  )
  const clear = useCallback(() => {
    storage.removeItem(key)
    setHeld({ key: '', value: initial })
  }, [storage, key, initial])
  return [current, set, clear]
}

function read<Value>(storage: Storage, key: string, initial: Value): Value {
  try {
    const text = storage.getItem(key)
    return text === null ? initial : (JSON.parse(text) as Value)
  } catch {
    return initial
  }
}
