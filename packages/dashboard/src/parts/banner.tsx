import type { ReactNode } from 'react'
import './banner.css'

/** A banner has any content the shop likes: its texts are shown, its markup is not rendered. */
export function Banner({ banner }: { readonly banner: unknown }): ReactNode {
  if (typeof banner === 'string') return <div className="banner strong">{banner}</div>
  const { title, text } = (banner ?? {}) as { readonly title?: unknown; readonly text?: unknown }
  return (
    <div className="banner">
      {typeof title === 'string' && <span className="strong">{title}</span>}
      {typeof text === 'string' && <span>{text}</span>}
      {typeof title !== 'string' && typeof text !== 'string' && (
        <code>{JSON.stringify(banner)}</code>
      )}
    </div>
  )
}
