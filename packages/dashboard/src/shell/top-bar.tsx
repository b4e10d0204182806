import { Menu, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { openPalette } from './palette-state.ts'

/** Shown on narrow screens, where the rail is a sheet. */
export function TopBar({ onOpenRail }: { readonly onOpenRail: () => void }): ReactNode {
  return (
    <header className="top-bar">
      <IconButton label="Open navigation" icon={Menu} onPress={onOpenRail} />
      <span className="row grow">
        <Mark size={22} />
        <span className="strong">Aisle</span>
      </span>
      <IconButton label="Go to…" icon={Search} onPress={openPalette} />
    </header>
  )
}
