import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import './state.css'

const ICONS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: TriangleAlert }

/** An important sentence, beside its subject. */
export function Note({
  kind = 'info',
  children,
}: {
  readonly kind?: keyof typeof ICONS
  readonly children: ReactNode
}): ReactNode {
  const Icon = ICONS[kind]
  return (
    <div className={`note note-${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div className="grow">{children}</div>
    </div>
  )
}
