import type { StoreKey } from '@aisle/client'
import { RotateCcwKey } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatExactTime } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { SecretValue } from '../../parts/secret-value.tsx'
import { useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { toast } from '../../state/toasts.ts'
import { KEY_TEXTS, type KeyKind } from './key-texts.ts'
import { RotateDialog } from './rotate-dialog.tsx'

/** One kind of key: what it is for, its last use, and the previous key while it still works. */
export function KeyCard({
  kind,
  storeKey,
}: {
  readonly kind: KeyKind
  readonly storeKey: StoreKey | undefined
}): ReactNode {
  const isOwner = useMay('owner')
  const [isRotating, rotate] = useState(false)
  const { name, about } = KEY_TEXTS[kind]
  const isMissing = storeKey === undefined
  return (
    <Section
      title={name}
      about={about}
      actions={
        isOwner && (
          <Button icon={RotateCcwKey} onPress={() => rotate(true)}>
            {isMissing ? 'Create key' : 'Rotate key'}
          </Button>
        )
      }
    >
      {isMissing ? (
        <p className="muted">No key yet. User ids are accepted without a signature.</p>
      ) : (
        <>
          {storeKey.secret === undefined ? (
            <p className="muted">Shown only once, when created. Rotate it if it was lost.</p>
          ) : (
            <SecretValue label={name} secret={storeKey.secret} />
          )}
          <Use use={storeKey} />
          {storeKey.previous !== undefined && (
            <Previous kind={kind} previous={storeKey.previous} mayRevoke={isOwner} />
          )}
        </>
      )}
      {isRotating && <RotateDialog kind={kind} isFirst={isMissing} onClose={() => rotate(false)} />}
    </Section>
  )
}

function Use({
  use: { created_at: created, last_used_at: used },
}: {
  readonly use: Pick<StoreKey, 'created_at' | 'last_used_at'>
}): ReactNode {
  return (
    <p className="small muted keys-use">
      {created !== undefined && (
        <span>
          Created <Time at={created} />
        </span>
      )}
      <span>
        {used === undefined ? (
          'Not used yet'
        ) : (
          <>
            Last used <Time at={used} />
          </>
        )}
      </span>
    </p>
  )
}

function Previous({
  kind,
  previous,
  mayRevoke,
}: {
  readonly kind: KeyKind
  readonly previous: NonNullable<StoreKey['previous']>
  readonly mayRevoke: boolean
}): ReactNode {
  const api = useApi()
  const refresh = useRefresh()
  const { storeId } = useStore()
  const [isRevoking, revoke] = useState(false)
  const until = formatExactTime(Date.parse(previous.valid_until))
  return (
    <Note kind="warn">
      <div className="row row-apart">
        <div>
          <p>
            <Badge kind="warn">Previous key</Badge> Works until {until}.
          </p>
          <Use use={previous} />
        </div>
        {mayRevoke && (
          <Button size="small" onPress={() => revoke(true)}>
            Revoke key
          </Button>
        )}
      </div>
      <ConfirmDialog
        title="Revoke the previous key"
        confirmLabel="Revoke key"
        isOpen={isRevoking}
        onClose={() => revoke(false)}
        onConfirm={async () => {
          await api.revokePreviousKey(storeId, kind)
          await refresh('keys')
          toast('Previous key revoked')
        }}
      >
        <p>Requests that still use it will be refused.</p>
        <Use use={previous} />
      </ConfirmDialog>
    </Note>
  )
}
