import type { StoreKey } from '@aisle/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { KeyCard } from './key-card.tsx'
import { OriginsForm } from './origins-form.tsx'
import './keys.css'

const ORDER: readonly StoreKey['kind'][] = ['read', 'write', 'events', 'signing']

/** Cache key of the list of keys, invalidated by changes. */
export function keysQuery(storeId: string): readonly [string, string] {
  return ['keys', storeId]
}

export function KeysScreen(): ReactNode {
  const api = useApi()
  const { storeId } = useStore()
  const isOwner = useMay('owner')
  const { data, error, refetch } = useQuery({
    queryKey: keysQuery(storeId),
    queryFn: async () => (await api.keys(storeId)).keys,
  })
  if (error !== null && data === undefined) {
    return <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <Page
      width="reading"
      title="Keys"
      about="The keys of the store: what each is for, when it was last used, and how to rotate it without downtime."
    >
      {!isOwner && <Note>Only owners can rotate keys. You see the public ones.</Note>}
      <Section title="Store id" about="Sent with every request as x-storeid. Not a secret.">
        <div className="row">
          <code className="keys-id">{storeId}</code>
          <CopyButton text={storeId} label="Copy store id" />
        </div>
      </Section>
      {data === undefined && <SkeletonLines count={8} />}
      {ORDER.map((kind) => {
        const key = data?.find((one) => one.kind === kind)
        if (data === undefined) return null
        return <KeyCard key={kind} kind={kind} storeKey={key} />
      })}
      <OriginsForm />
    </Page>
  )
}
