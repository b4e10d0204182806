import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { storePath } from '../session/store.ts'
import { SecretValue } from './secret-value.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Note } from '../ui/states.tsx'

export interface NewStore {
  readonly store_id: string
  readonly name: string
  readonly read_secret: string
  readonly write_secret: string
  readonly events_write_key: string
}

/** The keys of a store that was just created, and the way to it. */
export function StoreSecrets({
  store,
  onClose,
}: {
  readonly store: NewStore
  readonly onClose: () => void
}): ReactNode {
  const [, navigate] = useLocation()
  const onDone = (): void => {
    onClose()
    navigate(storePath(store.store_id))
  }
  return (
    <Dialog
      title={`${store.name} created`}
      isFirm
      onClose={onDone}
      footer={
        <Button variant="primary" onPress={onDone}>
          Open store
        </Button>
      }
    >
      <NewKeys store={store} />
    </Dialog>
  )
}

/** The keys of a store that was just created. */
export function NewKeys({ store }: { readonly store: NewStore }): ReactNode {
  return (
    <>
      <Note kind="warn">
        The write secret is shown only once. Store it with your other passwords: anyone who has it
        can change all products.
      </Note>
      <Labelled label="Write secret" about="Changes products and settings. For your servers only.">
        <SecretValue label="write secret" secret={store.write_secret} isShown />
      </Labelled>
      <Labelled label="Read secret" about="Searches only. Safe to use in your shop's pages.">
        <SecretValue label="read secret" secret={store.read_secret} />
      </Labelled>
      <Labelled
        label="Events write key"
        about="Sends visitor events, with Segment or a compatible client."
      >
        <SecretValue label="events write key" secret={store.events_write_key} />
      </Labelled>
    </>
  )
}

function Labelled({
  label,
  about,
  children,
}: {
  readonly label: string
  readonly about: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="field">
      <span className="field-label">{label}</span>
      {children}
      <span className="field-about">{about}</span>
    </div>
  )
}
