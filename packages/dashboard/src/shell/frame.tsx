import { useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { usePreference } from '../state/preference.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { JobBar } from './job-bar.tsx'
import { Rail } from './rail.tsx'
import { Routes } from './routes.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'
import { TopBar } from './top-bar.tsx'
import { LazyPalette } from './lazy-palette.tsx'
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
