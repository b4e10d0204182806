import type { SettingsHistory } from '@aisle/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { Time } from '../../format/time.tsx'
import { useStore } from '../../shell/store-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { differencesBetween, linesOf, type SettingDifference } from './setting-changes.ts'
import { SETTING_FIELDS } from './setting-fields.ts'

type Version = SettingsHistory['versions'][number]

const SHOWN_AT_FIRST = 5
const KINDS = { synonym_set: 'Synonyms', stopword_set: 'Stop words', rule: 'Rule' } as const
const LABELS = new Map(SETTING_FIELDS.map(({ path, label }) => [path, label]))
const PATHS = [...LABELS.keys()]

export function useSettingsHistory(): UseQueryResult<readonly Version[]> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['settings', storeId, 'history'],
    queryFn: async () => (await calls.settingsHistory()).versions,
  })
}

/** What was set when, and the way back to it. */
export function SettingVersions({
  mayEdit,
  onRestored,
}: {
  readonly mayEdit: boolean
  readonly onRestored: () => Promise<unknown>
}): ReactNode {
  const { calls } = useStore()
  const history = useSettingsHistory()
  const [isAll, showAll] = useState(false)
  const [chosen, choose] = useState<number>()
  const versions = history.data ?? []
  if (history.isError) {
    return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  }
  const shown = isAll ? versions : versions.slice(0, SHOWN_AT_FIRST)
  const newest = versions[0]
  const target = versions.find(({ version }) => version === chosen)
  return (
    <Section title="Versions" about="Each change is one. The last 50 are kept.">
      <ol className="settings-versions">
        {shown.map((one, at) => (
          <li key={one.version}>
            <div className="grow">
              <p className="row">
                <span className="strong number">Version {formatNumber(one.version)}</span>
                {one === newest && <Badge kind="good">In force</Badge>}
                <span className="muted small">
                  {one.changed_at === undefined ? 'the defaults' : <Time at={one.changed_at} />}
                  {one.changed_by?.login !== undefined && <>, {one.changed_by.login}</>}
                </span>
              </p>
              {one.note !== undefined && <p className="small">{one.note}</p>}
              {(one.resources ?? []).map(({ kind, name, action }) => (
                <p key={`${kind} ${name}`} className="small">
                  {KINDS[kind]} <bdi>{name}</bdi>: {action}
                </p>
              ))}
              <Differences
                differences={differencesBetween(
                  versions[at + 1]?.settings ?? {},
                  one.settings,
                  PATHS,
                )}
              />
            </div>
            {one !== newest && mayEdit && (
              <Button size="small" onPress={() => choose(one.version)}>
                Restore version {formatNumber(one.version)}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {versions.length === 0 && <p className="muted">Nothing was changed yet.</p>}
      {versions.length > SHOWN_AT_FIRST && !isAll && (
        <div>
          <Button variant="ghost" onPress={() => showAll(true)}>
            Show all {formatNumber(versions.length)} versions
          </Button>
        </div>
      )}
      {target !== undefined && newest !== undefined && (
        <ConfirmDialog
          title={`Restore version ${formatNumber(target.version)}`}
          confirmLabel="Restore version"
          isDangerous={false}
          isOpen
          onClose={() => choose(undefined)}
          onConfirm={async () => {
            await calls.rollbackSettings(target.version)
            await onRestored()
            toast(`Version ${formatNumber(target.version)} is in force again`, 'good')
          }}
        >
          <p>
            It becomes the newest version; the present one stays in this list. Sets and rules that
            were published after it go back too. This changes:
          </p>
          <Differences differences={differencesBetween(newest.settings, target.settings, PATHS)} />
        </ConfirmDialog>
      )}
    </Section>
  )
}

function Differences({
  differences,
}: {
  readonly differences: readonly SettingDifference[]
}): ReactNode {
  if (differences.length === 0) return <p className="muted small">The same as before.</p>
  return (
    <ul className="small">
      {differences.map(({ path, before, after }) => (
        <li key={path}>
          {LABELS.get(path)}: <span className="muted">{valueWords(path, before)}</span> →{' '}
          <bdi>{valueWords(path, after)}</bdi>
        </li>
      ))}
    </ul>
  )
}

function valueWords(path: string, value: unknown): string {
  if (value === undefined || value === null) return 'default'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatNumber(value, Number.isInteger(value) ? 0 : 2)
  return linesOf(path, value).replaceAll('\n', ', ') || 'none'
}
