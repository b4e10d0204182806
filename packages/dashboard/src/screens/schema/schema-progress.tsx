import type { StoreSchema } from '@aisle/contract'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { toast } from '../../state/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Note } from '../../ui/states.tsx'

/** The change of the schema that is in progress, or the last one, which can be undone. */
export function SchemaProgress({ saved }: { readonly saved: StoreSchema }): ReactNode {
  const { change, previous_fields: previous } = saved
  if (change !== undefined) return <Running change={change} />
  return previous === undefined || previous.length === 0 ? null : <Undo fields={previous} />
}

function Running({ change }: { readonly change: NonNullable<StoreSchema['change']> }): ReactNode {
  const { calls } = useStore()
  const refresh = useRefresh()
  const mayEdit = useMay('editor')
  const cancel = useMutation({
    mutationFn: () => calls.cancelSchemaChange(),
    onSuccess: () => toast('The schema stays as it is'),
    onSettled: () => refresh('schema'),
  })
  const names = change.fields.map(({ name }) => name).join(', ')
  const { documents_done: done, documents_total: total, seconds_left: left } = change
  // Other screens show the new schema as soon as it serves.
  const refreshAll = useRef(refresh)
  useEffect(() => {
    refreshAll.current = refresh
  }, [refresh])
  useEffect(() => () => void refreshAll.current('schema', 'documents', 'settings', 'stores'), [])
  if (change.state === 'failed') {
    return (
      <Note kind="bad">
        {names} could not be changed. See the service's log for the reason. It is tried again at the
        next start.
      </Note>
    )
  }
  return (
    <Note>
      <p>
        Changing {names}: {formatNumber(done)} of {formatCount(total, 'product')}
        {left === undefined ? '' : `, about ${formatCount(left, 'second')} left`}. Searches use the
        current schema until then.
      </p>
      <Progress value={total === 0 ? 0 : done / total} label="Products re-indexed" />
      {mayEdit && (
        <Button isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          Cancel change
        </Button>
      )}
    </Note>
  )
}

function Undo({
  fields,
}: {
  readonly fields: NonNullable<StoreSchema['previous_fields']>
}): ReactNode {
  const { calls } = useStore()
  const refresh = useRefresh()
  const mayEdit = useMay('editor')
  const undo = useMutation({
    mutationFn: () => calls.changeSchema({ mode: 'change', fields: [...fields] }),
    onSuccess: () => toast('Undo started'),
    onSettled: () => refresh('schema', 'documents', 'settings', 'stores'),
  })
  if (!mayEdit) return null
  const names = fields.map(({ name }) => name).join(', ')
  return (
    <Note>
      <p>Last change: {names}.</p>
      <Button isPending={undo.isPending} onPress={() => undo.mutate()}>
        Undo
      </Button>
      {undo.error !== null && <p role="alert">{undo.error.message}</p>}
    </Note>
  )
}
