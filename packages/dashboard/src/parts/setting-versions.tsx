import type { FacetDisplay, SettingsHistory } from '@aisle/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatNumber } from '../format/numbers.ts'
import { Time } from '../ui/time.tsx'
import { ROLE_HINTS, useMay } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/form-dialog.tsx'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { toast } from '../state/toasts.ts'
import type { FieldView } from './changed-meanwhile.tsx'
import { displayWords } from './facet-arrangement.ts'
import { overSettings } from './store-queries.ts'
import {
  differencesBetween,
  linesOf,
  type SettingDifference,
  type SettingValues,
} from './setting-changes.ts'
import { SETTING_FIELDS } from './setting-fields.ts'
import './setting-versions.css'

type Version = SettingsHistory['versions'][number]

const SHOWN_AT_FIRST = 5
const KINDS = {
  synonym_set: 'Synonyms',
  stopword_set: 'Stop words',
  rule: 'Rule',
  preset: 'Preset',
} as const
/** Its screen is “Facets”. */
const FACETS = 'facet_display'
const LABELS = new Map([
  ...SETTING_FIELDS.map(({ path, label }) => [path, label] as const),
  [FACETS, 'Facets'],
])
const PATHS = [...LABELS.keys()]

export function useSettingsHistory(): UseQueryResult<readonly Version[]> {
  const { storeId, calls } = useStore()
  return useQuery({
    queryKey: ['settings', storeId, 'history'],
    queryFn: async () => (await calls.settingsHistory()).versions,
  })
}

/**
 * The history: what was set, when and by whom, with rollback. Used by the settings, and by the
 * workbench that publishes into them.
 *
 * @param onRestored reloads what an earlier version changes
 */
export function SettingVersions({
  onRestored,
}: {
  readonly onRestored: () => Promise<unknown>
}): ReactNode {
  const mayEdit = useMay('editor')
  const history = useSettingsHistory()
  const [isAll, showAll] = useState(false)
  const [chosen, choose] = useState<number>()
  if (history.isError) {
    return <ErrorState error={history.error} onRetry={() => void history.refetch()} />
  }
  if (history.data === undefined) return <SkeletonLines count={6} />
  const versions = history.data
  const target = versions.find(({ version }) => version === chosen)
  if (versions.length === 0) return <p className="muted">No changes yet.</p>
  return (
    <>
      {!mayEdit && <p className="small muted">{ROLE_HINTS.editor}</p>}
      <ol className="lined">
        {(isAll ? versions : versions.slice(0, SHOWN_AT_FIRST)).map((one, at) => (
          <li key={one.version} className="row row-top gap-12">
            <div className="grow stack gap-4">
              <p className="row">
                <span className="strong number">Version {formatNumber(one.version)}</span>
                {at === 0 && <Badge kind="good">Current</Badge>}
                <span className="muted small">
                  {authorOf(one)}
                  {one.changed_at !== undefined && <Time at={one.changed_at} />}
                </span>
              </p>
              {one.note !== undefined && <p className="small">{one.note}</p>}
              <Changes version={one} before={versions[at + 1]} />
            </div>
            {at > 0 && mayEdit && (
              <Button size="small" onPress={() => choose(one.version)}>
                Restore version {formatNumber(one.version)}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {versions.length > SHOWN_AT_FIRST && !isAll && (
        <div>
          <Button variant="ghost" onPress={() => showAll(true)}>
            Show all {formatNumber(versions.length)} versions
          </Button>
        </div>
      )}
      {target !== undefined && (
        <RestoreDialog
          versions={versions}
          target={target}
          onClose={() => choose(undefined)}
          onRestored={onRestored}
        />
      )}
    </>
  )
}

function RestoreDialog({
  versions,
  target,
  onClose,
  onRestored,
}: {
  /** The newest first. */
  readonly versions: readonly Version[]
  readonly target: Version
  readonly onClose: () => void
  readonly onRestored: () => Promise<unknown>
}): ReactNode {
  const { calls } = useStore()
  const later = versions.filter(({ version }) => version > target.version)
  const resources = new Set(later.flatMap((one) => one.resources ?? []).map(({ name }) => name))
  return (
    <ConfirmDialog
      title={`Restore version ${formatNumber(target.version)}`}
      confirmLabel="Restore version"
      isDangerous={false}
      isOpen
      onClose={onClose}
      onConfirm={async () => {
        await overSettings(calls, versions[0]!, (etag) =>
          calls.rollbackSettings(target.version, etag),
        )
        await onRestored()
        toast(`Version ${formatNumber(target.version)} restored`, 'good')
      }}
    >
      <p>Creates a new version; the current one stays in the list. Changes:</p>
      <Differences
        differences={differencesBetween(versions[0]!.settings, target.settings, PATHS)}
        none="No setting."
      />
      {resources.size > 0 && (
        <p>
          Sets and rules published since then also return to their earlier state:{' '}
          <bdi>{[...resources].join(', ')}</bdi>. Later changes to them are overwritten.
        </p>
      )}
    </ConfirmDialog>
  )
}

/** The differences of a version from the one before it. */
function Changes({
  version,
  before,
}: {
  readonly version: Version
  readonly before: Version | undefined
}): ReactNode {
  const { resources = [] } = version
  return (
    <>
      {resources.map(({ kind, name, action }) => (
        <p key={`${kind} ${name}`} className="small">
          {KINDS[kind]} <bdi>{name}</bdi>: {action}
        </p>
      ))}
      <Differences
        differences={differencesBetween(before?.settings ?? {}, version.settings, PATHS)}
        none={before && resources.length === 0 ? 'No change.' : undefined}
      />
    </>
  )
}

function Differences({
  differences,
  none,
}: {
  readonly differences: readonly SettingDifference[]
  /** Said when there are none. */
  readonly none: string | undefined
}): ReactNode {
  if (differences.length === 0) {
    return none === undefined ? null : <p className="muted small">{none}</p>
  }
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

function authorOf({ changed_by: by, version }: Version): string {
  if (by === undefined) return version === 0 ? 'the defaults' : ''
  const names = {
    user: by.login ?? 'a user',
    store_key: 'an API key',
    admin_token: 'the admin token',
  }
  return `${names[by.actor]}, `
}

/** The settings by path, in the words of their controls. */
export const SETTINGS_VIEW: FieldView<SettingValues> = {
  of: (values) => values,
  back: (fields) => fields,
  label: (path) => LABELS.get(path) ?? path,
  text: (value, path) => valueWords(path, value),
}

function valueWords(path: string, value: unknown): string {
  if (value === undefined || value === null) return 'default'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatNumber(value, Number.isInteger(value) ? 0 : 2)
  if (path === FACETS) return displayWords(value as FacetDisplay)
  return linesOf(path, value).replaceAll('\n', ', ') || 'none'
}
