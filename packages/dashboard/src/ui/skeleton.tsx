import type { ReactNode } from 'react'
import './state.css'

/** A placeholder of about the size of the content to come. */
export function Skeleton({
  width = '100%',
  height = 16,
}: {
  readonly width?: number | string
  readonly height?: number | string
}): ReactNode {
  return <span className="skeleton" style={{ width, height }} aria-hidden />
}

/** A placeholder for lines of text. */
export function SkeletonLines({ count = 3 }: { readonly count?: number }): ReactNode {
  return (
    <div className="stack" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, i) => (
        <Skeleton key={i} width={`${92 - ((i * 17) % 40)}%`} />
      ))}
    </div>
  )
}
