import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatExactTime } from '../../format/time.ts'
import { SecretValue, keepSecret } from '../../parts/secret-value.tsx'
import { useRefresh, useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
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
  const { storeId } = useStore()
  const refresh = useRefresh()
  const [grace, setGrace] = useState<Grace>('86400')
  const { name } = KEY_TEXTS[kind]
  const rotating = useMutation({
    mutationFn: () => api.rotateKey(storeId, kind, { grace_seconds: Number(grace) }),
    onSuccess: async ({ secret }) => {
      if (kind === 'write') keepSecret(storeId, secret)
      await refresh('keys')
    },
  })
  const { data } = rotating
  if (data !== undefined) {
    const until = Date.parse(data.previous_valid_until)
    return (
      <Dialog
        title={`New ${name.toLowerCase()}`}
        isFirm
        onClose={onClose}
        footer={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        {(kind === 'write' || kind === 'signing') && (
          <Note kind="warn">Shown only once. Store it with your other passwords.</Note>
        )}
        <SecretValue label={name} secret={data.secret} isShown />
        {!isFirst && (
          <p className="muted">
            {grace === '0'
              ? 'The old key no longer works.'
              : `The old key works until ${formatExactTime(until)}. Deploy the new one, then check here whether the old one is still in use.`}
          </p>
        )}
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={isFirst ? `Create ${name.toLowerCase()}` : `Rotate ${name.toLowerCase()}`}
      submitLabel={isFirst ? 'Create key' : 'Rotate key'}
      action={rotating}
      onClose={onClose}
    >
      {isFirst ? (
        <p>
          With signed identities (Settings), a user id counts only with a signature made with this
          key.
        </p>
      ) : (
        <RadioCards
          label="Keep the old key valid for"
          options={GRACE_OPTIONS}
          value={grace}
          onChange={setGrace}
        />
      )}
    </FormDialog>
  )
}
