import type { ReactNode } from 'react'

/** A sentence of the document: what stands between backticks is code. */
export function ProseText({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, i) =>
    // Every second part stood between two of them; parts have no identity but their place.
    i % 2 === 1 ? <code key={i}>{part}</code> : part,
  )
}
