import type { ReactNode } from 'react'

/** A sentence of the API document: text between backticks is code. */
export function ProseText({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, i) =>
    // Every second part was between backticks; parts have no identity except their index.
    i % 2 === 1 ? <code key={i}>{part}</code> : part,
  )
}
