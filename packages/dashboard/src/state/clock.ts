import { useEffect, useState, useSyncExternalStore } from 'react'

const STEP_MS = 20_000

let nowMs = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The time for texts like "3 minutes ago"; updated every 20 seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs)
}

/** The exact time, for what a person has just done. */
export function currentTimeMs(): number {
  return Date.now()
}

/** A value that follows another one after a pause, for searches while somebody types. */
export function useDebounced<Value>(value: Value, waitMs = 120): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value, waitMs])
  return settled
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  nowMs = Date.now()
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const one of listeners) one()
  }, STEP_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
