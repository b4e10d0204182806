import { Fragment, useEffect, type ReactNode } from 'react'
import { Link } from 'wouter'
import './page.css'

export interface PageProps {
  readonly title: string
  /** One sentence: the purpose of the page. */
  readonly about?: ReactNode
  /** The primary action last. */
  readonly actions?: ReactNode
  /** Levels above this page; absent on the first level. */
  readonly above?: readonly { readonly label: string; readonly to: string }[]
  /** `reading` for forms and text; `full` for tables and grids of results. */
  readonly width?: 'reading' | 'full'
  readonly children: ReactNode
}

/** The frame of every screen: title, purpose, actions and content. */
export function Page({
  title,
  about,
  actions,
  above = [],
  width = 'full',
  children,
}: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Aisle`
  }, [title])
  return (
    <div className={`page page-${width}`}>
      {above.length > 0 && (
        <nav aria-label="Breadcrumb" className="page-above small">
          {above.map(({ label, to }) => (
            <Fragment key={to}>
              <Link href={to}>{label}</Link>
              <span aria-hidden> / </span>
            </Fragment>
          ))}
        </nav>
      )}
      <header className="page-header">
        <div className="grow">
          <h1>{title}</h1>
          {about !== undefined && <p className="muted">{about}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export interface SectionProps {
  readonly title?: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Whether it has no border. */
  readonly isPlain?: boolean
}

/** A part of a page: a card with a title. */
export function Section({
  title,
  about,
  actions,
  children,
  isPlain = false,
}: SectionProps): ReactNode {
  return (
    <section className={isPlain ? 'section card section-plain' : 'section card'}>
      {(title !== undefined || actions !== undefined) && (
        <header className="section-header">
          <div className="grow">
            {title !== undefined && <h2>{title}</h2>}
            {about !== undefined && <p className="muted small">{about}</p>}
          </div>
          {actions !== undefined && <div className="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
