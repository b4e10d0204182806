import type { Mend, MissedSearch } from '@aisle/client'
import { Ban, Check, RotateCcw, Search } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { hitsOf } from '../../parts/hits.ts'
import { useMay } from '../../session/session.ts'
import { queryLinks, useStore } from '../../session/store.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { ErrorNote, Note, SkeletonLines } from '../../ui/states.tsx'
import { EffectLine } from './effect-line.tsx'
import { MendCard, Products } from './mend-card.tsx'
import { mendText } from './mend-text.ts'
import { StatusText } from './missed-columns.tsx'
import { useDecisions, useMends } from './missed-data.ts'
import { OwnMend } from './own-mend.tsx'

/** A missed search: who is lost, what they typed next, and what would fix it. */
export function MissedPanel({
  search,
  onClose,
  ...steps
}: {
  readonly search: MissedSearch
  readonly onClose: () => void
} & Pick<SidePanelProps, 'onPrevious' | 'onNext'>): ReactNode {
  const mayEdit = useMay('editor')
  const { mutate, isPending, error } = useDecisions(onClose)
  const decide = (decision: 'fix' | 'dismiss' | 'reopen', mend?: Mend): void =>
    mutate({ search, decision, ...(mend === undefined ? {} : { mend }) })
  const isOpen = search.state === 'open'
  return (
    <SidePanel
      title={search.query}
      onClose={onClose}
      {...steps}
      footer={
        mayEdit &&
        (isOpen ? (
          <>
            <Button icon={Ban} isDisabled={isPending} onPress={() => decide('dismiss')}>
              Dismiss
            </Button>
            <Button icon={Check} isDisabled={isPending} onPress={() => decide('fix')}>
              Mark as fixed
            </Button>
          </>
        ) : (
          <Button icon={RotateCcw} isDisabled={isPending} onPress={() => decide('reopen')}>
            {search.changed === undefined ? 'Reopen' : 'Undo fix'}
          </Button>
        ))
      }
    >
      <div className="stack-groups">
        <Facts search={search} />
        {error !== null && <ErrorNote error={error} />}
        {isOpen ? (
          <Mends
            query={search.query}
            mayEdit={mayEdit}
            isPending={isPending}
            onMake={(mend) => decide('fix', mend)}
          />
        ) : (
          <Decided search={search} />
        )}
      </div>
    </SidePanel>
  )
}

function Facts({ search }: { readonly search: MissedSearch }): ReactNode {
  const { storeId } = useStore()
  const { query, visitors, visitors_lost: lost, searches, typed_next: next } = search
  return (
    <div className="stack gap-12">
      {visitors > 0 && (
        <p>
          {lost === visitors ? 'All ' : `${formatCount(lost, 'visitor')} of `}
          {formatCount(visitors, 'visitor')} left without a click, in{' '}
          {formatCount(searches, 'search', 'searches')}.
        </p>
      )}
      {next.length > 0 && (
        <p>
          Typed next:{' '}
          {next.map((one, i) => (
            <Fragment key={one.query}>
              {i > 0 && ', '}
              <bdi className="strong">{one.query}</bdi>{' '}
              <span className="muted">
                ({formatCount(one.visitors, 'visitor')}
                {one.visitors_clicked > 0 && `, ${one.visitors_clicked} clicked`})
              </span>
            </Fragment>
          ))}
        </p>
      )}
      <div className="row">
        <LinkButton to={queryLinks(storeId, query).preview} icon={Search} size="small">
          Open in preview
        </LinkButton>
      </div>
    </div>
  )
}

function Mends({
  query,
  mayEdit,
  isPending,
  onMake,
}: {
  readonly query: string
  readonly mayEdit: boolean
  readonly isPending: boolean
  readonly onMake: (mend: Mend) => void
}): ReactNode {
  const { data, error } = useMends(query)
  if (error !== null) return <ErrorNote error={error} attempt="load" />
  if (data === undefined) return <SkeletonLines count={6} />
  const { now, mends, cutoff } = data
  return (
    <>
      <section className="stack gap-12">
        <h3>
          {now.found === 0 ? 'Finds nothing now' : `Finds ${formatCount(now.found, 'product')} now`}
        </h3>
        <Products hits={hitsOf(now)} />
      </section>
      <section className="stack gap-12">
        <h3>Fixes</h3>
        {mends.length === 0 && (
          <p className="muted">
            None found. Neither what visitors typed next nor other spellings find different
            products. Your shop may not sell this.
          </p>
        )}
        <ul className="stack gap-12">
          {mends.map((preview) => (
            <MendCard
              key={JSON.stringify(preview.mend)}
              query={query}
              preview={preview}
              mayEdit={mayEdit}
              isPending={isPending}
              onMake={onMake}
            />
          ))}
        </ul>
        {cutoff && <Note>Not every fix was tried: time ran out.</Note>}
      </section>
      {mayEdit ? (
        <section className="stack gap-12">
          <h3>Your own fix</h3>
          <OwnMend query={query} now={now} isPending={isPending} onMake={onMake} />
        </section>
      ) : (
        <p className="small muted">Only editors and owners can fix searches.</p>
      )}
    </>
  )
}

function Decided({ search }: { readonly search: MissedSearch }): ReactNode {
  const { query, mend, state, decided_by: by } = search
  return (
    <section className="stack gap-12">
      <p>
        <StatusText search={search} />
        {by !== undefined && <span className="muted"> by {by}</span>}
      </p>
      {mend !== undefined && <p>{mendText(query, mend)}</p>}
      {state === 'fixed' && (
        <p>
          <EffectLine search={search} />
        </p>
      )}
    </section>
  )
}
