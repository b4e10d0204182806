import type { SettingsHistory } from '@aisle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Time } from '../../format/time.tsx'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../shell/store-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { versionChanges } from './draft-changes.ts'

type Version = SettingsHistory['versions'][number]

/** What was published, by whom, and the way back. */
export function HistoryPanel({
  onClose,
  onChanged,
}: {
  readonly onClose: () => void
  readonly onChanged: () => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const [target, setTarget] = useState<Version>()
  const { data, error, refetch } = useQuery({
    queryKey: ['settings', storeId, 'history'],
    queryFn: () => calls.settingsHistory(),
  })
  const versions = data?.versions ?? []
  const later = versions.filter(({ version }) => version > (target?.version ?? Infinity))
  const resources = new Set(later.flatMap((one) => one.resources ?? []).map(({ name }) => name))
  return (
    <SidePanel title="History" isOpen onClose={onClose}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines count={6} />
      ) : (
        <ol className="relevance-history">
          {versions.map((version, i) => (
            <li key={version.version}>
              <div className="row row-apart">
                <span className="row">
                  <span className="strong number">Version {version.version}</span>
                  {i === 0 && <Badge kind="good">Live</Badge>}
                </span>
                {i > 0 && (
                  <Button
                    size="small"
                    isDisabled={!mayEdit}
                    onPress={() => setTarget(version)}
                    aria-label={`Roll back to version ${version.version}`}
                  >
                    Roll back
                  </Button>
                )}
              </div>
              <p className="small muted">
                {authorOf(version)}
                {version.changed_at !== undefined && <Time at={version.changed_at} />}
              </p>
              {version.note !== undefined && <p>{version.note}</p>}
              <ul className="small relevance-changes">
                {versionChanges(version, versions[i + 1]).map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
      {!mayEdit && <p className="small muted">{ROLE_HINTS.editor}</p>}
      <ConfirmDialog
        title={`Roll back to version ${target?.version ?? ''}`}
        confirmLabel="Roll back"
        isDangerous={false}
        isOpen={target !== undefined}
        onClose={() => setTarget(undefined)}
        onConfirm={async () => {
          const { version } = await calls.rollbackSettings(target!.version)
          onChanged()
          toast(`Version ${version} is live`)
        }}
      >
        <p>
          {later.length === 1 ? 'One later version is' : `${later.length} later versions are`} taken
          back by a new version; they stay in the history.
        </p>
        {resources.size > 0 && (
          <p>
            Sets and rules become what they were before: {[...resources].join(', ')}. What was
            changed in them since is overwritten.
          </p>
        )}
      </ConfirmDialog>
    </SidePanel>
  )
}

function authorOf({ changed_by: by, version }: Version): string {
  if (version === 0) return 'The defaults. '
  if (by === undefined) return ''
  const names = {
    user: by.login ?? 'A user',
    store_key: 'A program',
    admin_token: 'The admin token',
  }
  return `${names[by.actor]}, `
}
