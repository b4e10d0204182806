import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../session/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { EmptyState, ErrorState, Note, Skeleton } from '../ui/states.tsx'
import { Page } from '../ui/page.tsx'

export interface ListPageProps {
  readonly title: string
  readonly about: string
  readonly icon: LucideIcon
  readonly query: UseQueryResult<readonly unknown[]>
  /** Verb and object: "Create rule". */
  readonly makeLabel: string
  readonly onMake: () => void
  /** Further actions, also without a first one. */
  readonly more?: ReactNode
  /**
   * "No presets yet", and why a first one is worth it. Absent: the children say so, because they
   * have more than the list.
   */
  readonly empty?: { readonly title: string; readonly why: ReactNode }
  /** The table; also shown while rows load. */
  readonly children: ReactNode
}

/** A page for things that editors create: none yet, loading, or a table of them. */
export function ListPage({
  title,
  about,
  icon,
  query,
  makeLabel,
  onMake,
  more,
  empty,
  children,
}: ListPageProps): ReactNode {
  const mayEdit = useMay('editor')
  const makeButton = (
    <Button icon={Plus} variant="primary" isDisabled={!mayEdit} onPress={onMake}>
      {makeLabel}
    </Button>
  )
  const none = query.data?.length === 0 ? empty : undefined
  return (
    <Page
      title={title}
      about={about}
      actions={
        query.data === undefined ? undefined : none !== undefined ? (
          more
        ) : (
          <>
            {more}
            {makeButton}
          </>
        )
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : none !== undefined ? (
        <EmptyState icon={icon} title={none.title} action={makeButton}>
          {none.why}
        </EmptyState>
      ) : (
        children
      )}
    </Page>
  )
}

/** The page of one of them while the list loads, or when it is not in the list. */
export function MissingPage({
  title,
  list,
  query,
  kind,
}: {
  readonly title: string
  /** The page above it. */
  readonly list: { readonly label: string; readonly to: string }
  readonly query: UseQueryResult<readonly unknown[]>
  /** "rule", "preset". */
  readonly kind: string
}): ReactNode {
  return (
    <Page width="reading" title={title} above={[list]}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton height={400} />
      ) : (
        <EmptyState
          icon={SearchX}
          title={`No ${kind} has this name`}
          action={<LinkButton to={list.to}>{`Show all ${kind}s`}</LinkButton>}
        >
          It was deleted, or the link is wrong.
        </EmptyState>
      )}
    </Page>
  )
}
