import { useEffect, useState } from 'react'

/** A value that follows another one after a pause, for searches while somebody types. */
export function useDebounced<Value>(value: Value, waitMs = 120): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value, waitMs])
  return settled
}
