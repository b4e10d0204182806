import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import './page.css'

/** Steps through pages of results, from 1. */
export function Pager({
  page,
  pageCount,
  onChange,
  children,
}: {
  readonly page: number
  readonly pageCount: number
  readonly onChange: (page: number) => void
  /** Which page it is, in words. */
  readonly children: ReactNode
}): ReactNode {
  return (
    <nav className="row row-center" aria-label="Pages">
      <IconButton
        size="medium"
        label="Previous page"
        icon={ChevronLeft}
        isDisabled={page <= 1}
        onPress={() => onChange(page - 1)}
      />
      <span className="small number">{children}</span>
      <IconButton
        size="medium"
        label="Next page"
        icon={ChevronRight}
        isDisabled={page >= pageCount}
        onPress={() => onChange(page + 1)}
      />
    </nav>
  )
}
