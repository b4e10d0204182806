import type { StoreRestore } from '@aisle/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/api.ts'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { STORES_QUERY, storePath } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import '../../ui/progress.css'

export const RESTORES_QUERY = ['restores'] as const

const LOOK_MS = 700

function isRunning({ state }: Pick<StoreRestore, 'state'>): boolean {
  return state === 'verifying' || state === 'copying'
}

/** Restores, newest first; read often while one runs. */
function useRestores() {
  const api = useApi()
  return useQuery({
    queryKey: RESTORES_QUERY,
    queryFn: async () => (await api.restores()).restores,
    refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? LOOK_MS : false),
  })
}

/** Stores that were made of snapshots, and the one that is being made. */
export function Restores(): ReactNode {
  const { data = [] } = useRestores()
  if (data.length === 0) return null
  return (
    <Section title="Restored stores">
      <ul className="snapshot-stores" aria-label="Restored stores">
        {data.map((one) => (
          <li key={one.id}>
            <RestoreState restore={one} name={one.store_id} />
            <span className="muted small">
              <Time at={one.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** One restore, until it is over. */
export function RestoreProgress({
  id,
  name,
}: {
  readonly id: string
  /** Of the new store. */
  readonly name: string
}): ReactNode {
  const { data, error } = useRestores()
  const restore = data?.find((one) => one.id === id)
  if (error !== null) return <ErrorNote attempt="load" error={error} />
  if (restore === undefined) return null
  return (
    <>
      <RestoreState restore={restore} name={name} />
      {isRunning(restore) && (
        <p className="small muted">
          You can close this. The restore goes on, and the page shows its progress.
        </p>
      )}
    </>
  )
}

function RestoreState({
  restore,
  name,
}: {
  readonly restore: StoreRestore
  readonly name: string
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { state, documents_done: done, documents_total: total, refused } = restore
  const isOver = !isRunning(restore)
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: STORES_QUERY })
  }, [isOver, queries])
  const cancelling = useMutation({
    mutationFn: () => api.cancelRestore(restore.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: RESTORES_QUERY }),
  })
  if (state === 'done') {
    return (
      <div className="grow stack">
        <span>
          <Badge kind="good">Restored</Badge>{' '}
          <Link href={storePath(restore.store_id)}>Open {name}</Link>{' '}
          <span className="muted small number">{formatCount(done - refused, 'product')}</span>
        </span>
        {refused > 0 && (
          <Note kind="warn">
            This version does not accept {formatCount(refused, 'product')} of the snapshot:{' '}
            {restore.errors.map((one) => `${one.id} (${one.error})`).join('; ')}
          </Note>
        )}
      </div>
    )
  }
  if (isOver) {
    return (
      <div className="grow stack">
        <span>
          <Badge kind={state === 'failed' ? 'bad' : 'plain'}>
            {state === 'failed' ? 'Failed' : 'Cancelled'}
          </Badge>{' '}
          {name}
        </span>
        <span className="muted small">
          {restore.error === undefined ? '' : `${restore.error}. `}The new store was deleted.
        </span>
      </div>
    )
  }
  return (
    <div className="grow stack">
      <progress
        className="progress"
        aria-label={`Progress of ${name}`}
        {...(state === 'verifying' ? {} : { value: done, max: Math.max(1, total) })}
      />
      <span className="row">
        <span className="grow small muted number" role="status">
          {state === 'verifying'
            ? 'Verifying the snapshot'
            : `${formatNumber(done)} of ${formatCount(total, 'product')}`}
        </span>
        <Button isPending={cancelling.isPending} onPress={() => cancelling.mutate()}>
          Cancel restore
        </Button>
      </span>
    </div>
  )
}
