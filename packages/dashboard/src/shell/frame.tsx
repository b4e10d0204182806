import { Menu, Search } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { usePreference } from '../state/stored.ts'
import { IconButton } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { JobBar } from './job-bar.tsx'
import { Rail } from './rail.tsx'
import { Routes } from './routes.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { LazyPalette, openPalette } from './lazy-palette.tsx'
import './frame.css'

/** The rail on the left, the screen on the right, and what floats above both. */
export function Frame(): ReactNode {
  const [isNarrow, setNarrow] = usePreference('rail.narrow', false)
  const [path] = useLocation()
  // Any choice in it leads to another page, where it is closed.
  const [sheetPath, openSheet] = useState<string>()
  const main = useRef<HTMLElement>(null)
  return (
    <div className={isNarrow ? 'frame frame-narrow' : 'frame'}>
      <a className="frame-skip" href="#content" onClick={() => main.current?.focus()}>
        Skip to content
      </a>
      <Rail
        isNarrow={isNarrow}
        onToggle={() => setNarrow(!isNarrow)}
        isSheetOpen={sheetPath === path}
        onCloseSheet={() => openSheet(undefined)}
      />
      <div className="frame-right">
        <TopBar onOpenRail={() => openSheet(path)} />
        <ConnectionBar />
        <main id="content" ref={main} tabIndex={-1} className="frame-main">
          <Routes />
        </main>
      </div>
      <JobBar />
      <LazyPalette />
      <ShortcutHelp />
      <ToastRegion />
    </div>
  )
}

/** Shown on narrow screens, where the rail is a sheet. */
function TopBar({ onOpenRail }: { readonly onOpenRail: () => void }): ReactNode {
  return (
    <header className="top-bar">
      <IconButton size="medium" label="Open navigation" icon={Menu} onPress={onOpenRail} />
      <span className="row grow">
        <Mark size={22} />
        <span className="strong">Aisle</span>
      </span>
      <IconButton size="medium" label="Go to…" icon={Search} onPress={openPalette} />
    </header>
  )
}
