export type Move =
  | { readonly kind: 'same' | 'new' | 'gone' }
  | { readonly kind: 'up' | 'down'; readonly by: number }

/** How a document moved between two rankings. */
export function moveOf(id: string, before: readonly string[], after: readonly string[]): Move {
  const from = before.indexOf(id)
  const to = after.indexOf(id)
  if (from < 0) return { kind: 'new' }
  if (to < 0) return { kind: 'gone' }
  if (from === to) return { kind: 'same' }
  return from > to ? { kind: 'up', by: from - to } : { kind: 'down', by: to - from }
}
