import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatExactTime } from '../../format/time.ts'
import { SecretValue } from '../../parts/secret-value.tsx'
import { keepSecret } from '../../parts/shown-secrets.ts'
import { useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Note } from '../../ui/note.tsx'
import { GRACE_OPTIONS, KEY_TEXTS, type Grace, type KeyKind } from './key-texts.ts'

/** Creates a new key; the old one keeps working for a chosen time. */
export function RotateDialog({
  kind,
  isFirst,
  onClose,
}: {
  readonly kind: KeyKind
  readonly isFirst: boolean
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { storeId } = useStore()
  const [grace, setGrace] = useState<Grace>('86400')
  const { name } = KEY_TEXTS[kind]
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => api.rotateKey(storeId, kind, { grace_seconds: Number(grace) }),
    onSuccess: async ({ secret }) => {
      if (kind === 'write') keepSecret(storeId, secret)
      await queries.invalidateQueries({ queryKey: ['keys', storeId] })
    },
  })
  if (data !== undefined) {
    const until = Date.parse(data.previous_valid_until)
    return (
      <Dialog
        title={`New ${name.toLowerCase()}`}
        isOpen
        isFirm
        onClose={onClose}
        footer={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        {(kind === 'write' || kind === 'signing') && (
          <Note kind="warn">
            It is shown only now. Keep it where your shop keeps its passwords.
          </Note>
        )}
        <SecretValue label={name} secret={data.secret} isShown />
        {!isFirst && (
          <p className="muted">
            {grace === '0'
              ? 'The old one no longer works.'
              : `The old one works until ${formatExactTime(until)}. Put the new one everywhere, then see here whether the old one is still used.`}
          </p>
        )}
      </Dialog>
    )
  }
  return (
    <Dialog
      title={isFirst ? `Make the ${name.toLowerCase()}` : `Rotate the ${name.toLowerCase()}`}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" isPending={isPending} onPress={() => mutate()}>
            {isFirst ? 'Make key' : 'Rotate key'}
          </Button>
        </>
      }
    >
      {isFirst ? (
        <p>
          With the setting “identity: signed” ids of users count only with a signature made with it.
        </p>
      ) : (
        <RadioCards
          label="How long does the old key work on?"
          options={GRACE_OPTIONS}
          value={grace}
          onChange={setGrace}
        />
      )}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  )
}
