import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { setPaletteOpen, usePaletteOpen } from './palette-state.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** Opened by Ctrl K or Cmd K; loaded on first use. */
export function LazyPalette(): ReactNode {
  const isOpen = usePaletteOpen()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <Palette onClose={() => setPaletteOpen(false)} />
    </Suspense>
  )
}
