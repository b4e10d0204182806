import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { useStore } from '../../session/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { fieldWords, type ChangeMode, type FieldChange } from './schema-diff.ts'

/** The changes of the draft, and their cost, before it is published. */
export function PublishBar({
  changes,
  mode,
  onDiscard,
  onPublish,
}: {
  /** Absent: the draft is not a list of fields. */
  readonly changes: readonly FieldChange[] | undefined
  readonly mode: ChangeMode
  readonly onDiscard: () => void
  readonly onPublish: () => Promise<void>
}): ReactNode {
  const { summary } = useStore()
  const [isAsking, setAsking] = useState(false)
  const products = formatCount(summary.documents, 'product')
  const shown = (changes ?? []).filter(({ kind }) => kind !== 'same')
  const isLossy = mode === 'replace' && summary.documents > 0
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
            variant={mode === 'replace' ? 'danger' : 'primary'}
            isDisabled={mode === 'none'}
            onPress={() => setAsking(true)}
          >
            {label}
          </Button>
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
          {products}. To keep them searchable meanwhile, clone the store, import there, and swap the
          two.
        </Note>
      )}
      <ConfirmDialog
        title={label}
        confirmLabel={isLossy ? `Replace schema and delete ${products}` : label}
        isDangerous={mode === 'replace'}
        {...(isLossy ? { nameToType: summary.name } : {})}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
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
