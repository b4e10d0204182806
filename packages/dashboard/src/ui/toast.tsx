import { CircleCheck, TriangleAlert, X } from 'lucide-react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import './toast.css'

interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
  readonly undo?: (() => void) | undefined
}

const SHOWN_MS = 5_000
/** Older ones disappear. */
const TOASTS_MAX = 4

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Briefly confirms an action. What needs a decision belongs in the page instead. */
export function toast(text: string, kind: Toast['kind'] = 'good', undo?: () => void): void {
  const id = ++lastId
  change([...toasts, { id, text, kind, undo }].slice(-TOASTS_MAX))
  setTimeout(() => dismiss(id), undo === undefined ? SHOWN_MS : SHOWN_MS * 2)
}

function dismiss(id: number): void {
  change(toasts.filter((one) => one.id !== id))
}

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Rendered once, in the frame. */
export function ToastRegion(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind, undo }) => (
        <div key={id} className={`toast toast-${kind}`}>
          {kind === 'good' ? (
            <CircleCheck size={16} aria-hidden />
          ) : (
            <TriangleAlert size={16} aria-hidden />
          )}
          <span className="grow">{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              className="toast-undo"
              onClick={() => {
                undo()
                dismiss(id)
              }}
            >
              Undo
            </button>
          )}
          <IconButton label="Dismiss" icon={X} size="small" onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
