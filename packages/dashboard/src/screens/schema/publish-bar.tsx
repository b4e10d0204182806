import type { SchemaFieldRequest } from '@aisle/contract'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { RebuildDialog } from './rebuild-dialog.tsx'
import { useRebuild } from './rebuild-job.ts'
import { fieldWords, type ChangeMode, type FieldChange } from './schema-diff.ts'

/** The changes of the draft, and their cost, before it is published. */
export function PublishBar({
  fields,
  changes,
  mode,
  isMisfit,
  onDiscard,
  onPublish,
}: {
  /** Absent: the draft is not a list of fields. */
  readonly fields: readonly SchemaFieldRequest[] | undefined
  readonly changes: readonly FieldChange[] | undefined
  readonly mode: ChangeMode
  /** The service could not convert values of the products to this draft. */
  readonly isMisfit: boolean
  readonly onDiscard: () => void
  readonly onPublish: () => Promise<void>
}): ReactNode {
  const { summary } = useStore()
  const mayRebuild = useMay('owner')
  const isRebuilding = useRebuild() !== undefined
  const [asked, setAsked] = useState<'publish' | 'rebuild'>()
  const products = formatCount(summary.documents, 'product')
  const shown = (changes ?? []).filter(({ kind }) => kind !== 'same')
  const isLossy = mode === 'replace' && summary.documents > 0
  const canRebuild = isLossy || isMisfit
  const label = LABELS[mode]
  return (
    <Section
      title="Draft"
      about={
        changes === undefined
          ? 'The JSON is not a list of fields.'
          : shown.length === 0
            ? 'No changes to publish.'
            : 'Kept in this tab until it is published or discarded.'
      }
      actions={
        <>
          <Button onPress={onDiscard}>Discard draft</Button>
          <Button
            variant={mode === 'replace' ? 'danger' : canRebuild ? 'secondary' : 'primary'}
            isDisabled={mode === 'none'}
            onPress={() => setAsked('publish')}
          >
            {label}
          </Button>
          {canRebuild && (
            <Button
              variant="primary"
              isDisabled={!mayRebuild || isRebuilding}
              onPress={() => setAsked('rebuild')}
            >
              Rebuild in a copy
            </Button>
          )}
        </>
      }
    >
      {shown.length > 0 && (
        <ul className="schema-changes small-list" aria-label="Changes">
          {shown.map((change) => (
            <li key={change.name}>
              <Change change={change} />
            </li>
          ))}
        </ul>
      )}
      {isLossy && (
        <Note kind="warn">
          Removing a field, or making it an object, replaces the schema, which deletes all{' '}
          {products}. To keep them, rebuild in a copy: the store stays online until you swap the
          two. {!mayRebuild && `${ROLE_HINTS.owner}.`}
        </Note>
      )}
      {isMisfit && (
        <Note kind="warn">
          Some values do not fit the new types. Correct them, or rebuild in a copy, where you can
          leave out the values of a field. {!mayRebuild && `${ROLE_HINTS.owner}.`}
        </Note>
      )}
      {asked === 'rebuild' && fields !== undefined && (
        <RebuildDialog
          fields={fields}
          changes={shown}
          onSwapped={onDiscard}
          onClose={() => setAsked(undefined)}
        />
      )}
      <ConfirmDialog
        title={label}
        confirmLabel={isLossy ? `Replace schema and delete ${products}` : label}
        isDangerous={mode === 'replace'}
        {...(isLossy ? { nameToType: summary.name } : {})}
        isOpen={asked === 'publish'}
        onClose={() => setAsked(undefined)}
        onConfirm={onPublish}
      >
        <p>
          {mode === 'additive'
            ? `${formatCount(shown.length, 'field')} will be added. All ${products} stay. The new fields are empty until you import products with them.`
            : mode === 'change'
              ? `All ${products} stay, and are re-indexed in the background. Searches use the current schema until then. If a value does not fit, nothing changes.`
              : summary.documents === 0
                ? 'The store has no products, so nothing is lost.'
                : `All ${products} of ${summary.name} are deleted. Export first to keep a copy.`}
        </p>
      </ConfirmDialog>
    </Section>
  )
}

const LABELS: Readonly<Record<ChangeMode, string>> = {
  none: 'Add fields',
  additive: 'Add fields',
  change: 'Change schema',
  replace: 'Replace schema',
}

function Change({ change }: { readonly change: FieldChange }): ReactNode {
  if (change.kind === 'same') return null
  const { kind, name } = change
  return (
    <>
      <Badge kind={kind === 'added' ? 'good' : kind === 'changed' ? 'warn' : 'bad'}>
        {kind === 'added' ? 'New' : kind === 'changed' ? 'Changed' : 'Removed'}
      </Badge>
      <span className="strong">{name}</span>
      <span className="muted">
        {kind === 'added' && fieldWords(change.after)}
        {kind === 'removed' && fieldWords(change.before)}
        {kind === 'changed' && `${fieldWords(change.before)} → ${fieldWords(change.after)}`}
      </span>
    </>
  )
}
