import type { StoreSummary } from '@aisle/client'
import type { SchemaFieldRequest } from '@aisle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { formatCount } from '../../format/numbers.ts'
import { STORES_QUERY, useStore } from '../../session/store.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { startRebuild } from './rebuild-job.ts'
import type { FieldChange } from './schema-diff.ts'

/** What a rebuild does, and which values it leaves out. */
export function RebuildDialog({
  fields,
  changes,
  copy,
  onSwapped,
  onClose,
}: {
  readonly fields: readonly SchemaFieldRequest[]
  readonly changes: readonly FieldChange[]
  /** A copy that was begun earlier. */
  readonly copy?: StoreSummary
  readonly onSwapped: () => void
  readonly onClose: () => void
}): ReactNode {
  const api = useApi()
  const queries = useQueryClient()
  const { summary } = useStore()
  const [dropped, setDropped] = useState<ReadonlySet<string>>(new Set())
  const removed = changes.filter(({ kind }) => kind === 'removed').map(({ name }) => name)
  const retyped = changes.flatMap((change) =>
    change.kind === 'changed' && change.before.type !== change.after.type ? [change] : [],
  )
  const start = (): void => {
    startRebuild({
      api,
      store: summary,
      fields,
      leftOut: [...removed, ...dropped],
      copy,
      onStores: () => queries.invalidateQueries({ queryKey: STORES_QUERY }),
      onSwapped: () => {
        onSwapped()
        void queries.invalidateQueries()
      },
    })
    onClose()
  }
  return (
    <FormDialog
      title={copy === undefined ? 'Rebuild in a copy' : `Continue “${copy.name}”`}
      submitLabel={copy === undefined ? 'Build the copy' : 'Continue'}
      action={{ mutate: start }}
      onClose={onClose}
    >
      <p>
        {copy === undefined
          ? `Creates a copy of ${summary.name} with the new schema, and copies ${formatCount(summary.documents, 'product')}, the settings, synonyms, stop words, presets and rules.`
          : `Brings the copy up to date with ${summary.name}: products, settings, synonyms, stop words, presets and rules. It keeps its own schema.`}{' '}
        The store stays online. Nothing changes in it until you swap the two.
      </p>
      {removed.length > 0 && <p>Not copied: the values of {removed.join(', ')}.</p>}
      {retyped.map(({ name, before, after }) => (
        <Checkbox
          key={name}
          isSelected={dropped.has(name)}
          onChange={(isOn) => {
            const rest = [...dropped].filter((one) => one !== name)
            setDropped(new Set(isOn ? [...rest, name] : rest))
          }}
        >
          Leave out the values of {name} ({before.type} → {after.type})
        </Checkbox>
      ))}
      <p className="muted small">Keep this tab open until the copy is complete.</p>
    </FormDialog>
  )
}
