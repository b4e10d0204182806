import { CircleCheck, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useShared } from '../state/shared.ts'
import { dismissToast, TOASTS } from '../state/toasts.ts'
import { IconButton } from './button.tsx'
import './toast.css'

/** Rendered once, in the frame. */
export function ToastRegion(): ReactNode {
  const shown = useShared(TOASTS)
  return (
    <div className="toasts stack gap-8" role="status" aria-live="polite">
      {shown.map(({ id, text, kind, undo }) => (
        <div key={id} className={`toast floating toast-${kind}`}>
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
                dismissToast(id)
              }}
            >
              Undo
            </button>
          )}
          <IconButton label="Dismiss" icon={X} onPress={() => dismissToast(id)} />
        </div>
      ))}
    </div>
  )
}
