import type { StoreSummary } from '@aisle/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/api.ts'
import { formatCount } from '../../format/numbers.ts'
import { schemaQuery, useDeclaredSchema } from '../../parts/store-queries.ts'
import { useMay } from '../../session/session.ts'
import { STORES_QUERY, storePath, useStore, useStores } from '../../session/store.ts'
import { toast } from '../../state/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { fieldWords, schemaChanges, type FieldChange } from './schema-diff.ts'
import { RebuildDialog } from './rebuild-dialog.tsx'

/** Fields that are named in the summary. */
const FIELDS_SHOWN_MAX = 6

/**
 * A copy of the open store that no rebuild in this page works on: its tab was closed, or it is the
 * previous version after a swap. Its id and its name say whose copy it is.
 */
export function EarlierCopy(): ReactNode {
  const { storeId } = useStore()
  const mayManage = useMay('owner')
  const { data: stores = [] } = useStores()
  const copies = mayManage ? stores.filter((one) => isNamedAfter(storeId, one.store_id)) : []
  const { data: names } = useQuery({
    queryKey: ['names of copies'],
    enabled: copies.length > 0,
    queryFn: () => import('@aisle/configuration'),
    staleTime: Infinity,
  })
  const copy = copies.find(({ name }) => names?.isSecondStoreName(name) === true)
  return copy === undefined ? null : <Copy key={copy.store_id} copy={copy} />
}

/** `<id>-next`, or with a number if that was taken. */
function isNamedAfter(storeId: string, id: string): boolean {
  const start = `${storeId}-next`
  return id.startsWith(start) && /^(-\d{1,4})?$/.test(id.slice(start.length))
}

function Copy({ copy }: { readonly copy: StoreSummary }): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { summary } = useStore()
  const { data: schema } = useDeclaredSchema()
  const { data: own } = useQuery(schemaQuery(copy.store_id, api.store(copy.store_id)))
  const [asked, setAsked] = useState<'continue' | 'delete'>()
  const close = (): void => setAsked(undefined)
  if (schema === undefined || own === undefined) return null
  const changes = schemaChanges(schema, own.fields)
  return (
    <Section
      title="A copy of this store exists"
      actions={
        <>
          <Button onPress={() => setAsked('delete')}>Delete copy</Button>
          {own.fields.length > 0 && (
            <Button variant="primary" onPress={() => setAsked('continue')}>
              Continue
            </Button>
          )}
        </>
      }
    >
      <p>
        <Link href={storePath(copy.store_id)}>{copy.name}</Link> has{' '}
        {formatCount(copy.documents, 'product')}; {summary.name} has{' '}
        {formatCount(summary.documents, 'product')}.
        {copy.last_write_at !== undefined && (
          <>
            {' '}
            Last written <Time at={copy.last_write_at} />.
          </>
        )}{' '}
        {differenceText(changes)}
      </p>
      <p className="muted small">
        It is a rebuild that was not finished, or the version before the last swap. “Continue”
        brings it up to date; then you can swap the two.
      </p>
      {asked === 'continue' && (
        <RebuildDialog
          fields={own.fields}
          changes={changes}
          copy={copy}
          onSwapped={() => undefined}
          onClose={close}
        />
      )}
      <ConfirmDialog
        title={`Delete ${copy.name}`}
        confirmLabel="Delete copy"
        isOpen={asked === 'delete'}
        onClose={close}
        onConfirm={async () => {
          await api.deleteStore(copy.store_id)
          await queries.invalidateQueries({ queryKey: STORES_QUERY })
          toast('Copy deleted')
        }}
      >
        <p>
          Deletes {copy.name} with its schema and {formatCount(copy.documents, 'product')}.{' '}
          {summary.name} does not change.
        </p>
      </ConfirmDialog>
    </Section>
  )
}

/** "Different: price (float, facet); new: color; removed: old." */
function differenceText(changes: readonly FieldChange[]): string {
  const different = changes.filter(({ kind }) => kind !== 'same')
  if (different.length === 0) return 'Both have the same schema.'
  const texts = different.slice(0, FIELDS_SHOWN_MAX).map((change) => {
    if (change.kind === 'removed') return `no ${change.name}`
    if (change.kind === 'added') return `${change.name} is new`
    return `${change.name} is ${fieldWords(change.after)}`
  })
  const more = different.length - texts.length
  return `Its schema differs: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`
}
