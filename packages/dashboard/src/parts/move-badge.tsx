import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import type { Move } from './moves.ts'

/** The move of a product in words. */
export function MoveBadge({
  move,
  isPinned,
}: {
  readonly move: Move | undefined
  readonly isPinned: boolean
}): ReactNode {
  switch (move?.kind) {
    case 'new':
      return <Badge kind="accent">New</Badge>
    case 'gone':
      return <Badge kind="warn">Gone</Badge>
    case 'up':
      return <Badge kind="good">Up {move.by}</Badge>
    case 'down':
      return <Badge>Down {move.by}</Badge>
    case 'same':
    case undefined:
      return isPinned ? <Badge>Pinned</Badge> : null
  }
}
