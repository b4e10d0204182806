import { Monitor, Moon, Sun } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const ICONS = { system: Monitor, light: Sun, dark: Moon }
const KEY = 'aisle.theme'

/** Light, dark, or as set in the system. build/theme.js applies it before the first paint. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
  const choose = (): void => {
    setTheme(next)
    if (next === 'system') {
      localStorage.removeItem(KEY)
      delete document.documentElement.dataset['theme']
    } else {
      localStorage.setItem(KEY, next)
      document.documentElement.dataset['theme'] = next
    }
  }
  return <IconButton label={`Theme: ${theme}`} icon={ICONS[theme]} onPress={choose} />
}

function chosenTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}
