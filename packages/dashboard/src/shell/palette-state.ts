import { useSyncExternalStore } from 'react'

let isOpen = false
const listeners = new Set<() => void>()

export function openPalette(): void {
  setPaletteOpen(true)
}

export function setPaletteOpen(next: boolean): void {
  isOpen = next
  for (const listener of listeners) listener()
}

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOpen,
  )
}
