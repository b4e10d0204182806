import { useEffect, useState, type ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'

const KEYS: readonly [keys: string, what: string][] = [
  ['Ctrl K', 'Go to a page, store or product'],
  ['?', 'Show keyboard shortcuts'],
  ['↑ ↓', 'Move between table rows'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close a panel, clear a search'],
  ['Tab', 'Go to the next control'],
]

/** Opened by `?` anywhere except in a field. */
export function ShortcutHelp(): ReactNode {
  const [isOpen, open] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '?' || isTyping(event.target)) return
      open(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => open(false)} width="narrow">
      <dl className="shortcuts">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
