import { useSyncExternalStore } from 'react'

/** Colours of theme.css for a canvas. */
export interface ThemeColors {
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly series: readonly string[]
}

let current: ThemeColors | undefined

/** Changes with the theme. */
export function useThemeColors(): ThemeColors {
  return useSyncExternalStore(subscribe, () => (current ??= readColors()))
}

function subscribe(listener: () => void): () => void {
  const changed = (): void => {
    current = undefined
    listener()
  }
  const media = matchMedia('(prefers-color-scheme: dark)')
  media.addEventListener('change', changed)
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    media.removeEventListener('change', changed)
    observer.disconnect()
  }
}

/** A token has a light and a dark value; only an element knows which one applies. */
function readColors(): ThemeColors {
  const probe = document.createElement('span')
  document.body.append(probe)
  const read = (token: string): string => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const colors = {
    text: read('text'),
    muted: read('muted'),
    line: read('line'),
    series: [1, 2, 3, 4, 5].map((number) => read(`series-${number}`)),
  }
  probe.remove()
  return colors
}
