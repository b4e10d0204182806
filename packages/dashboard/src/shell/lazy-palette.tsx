import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { Shared, useShared } from '../state/shared.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const IS_OPEN = new Shared(false)

export function openPalette(): void {
  IS_OPEN.set(true)
}

/** Opened by Ctrl K or Cmd K; loaded on first use. */
export function LazyPalette(): ReactNode {
  const isOpen = useShared(IS_OPEN)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <Palette onClose={() => IS_OPEN.set(false)} />
    </Suspense>
  )
}
