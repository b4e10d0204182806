import { useState, type ReactNode } from 'react'
import type { Draft } from '../state/draft.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Segmented } from '../ui/choice.tsx'
import { intoView } from '../ui/into-view.ts'
import { Note } from '../ui/states.tsx'
import { differencesOf, mergedFields, type Fields, type Picks } from './three-way.ts'
import './changed-meanwhile.css'

/** How a value is taken apart for a comparison, and put together again. */
export interface FieldView<Value> {
  /** Undefined while the value cannot be read: JSON that is not complete. */
  readonly of: (value: Value) => Fields | undefined
  readonly back: (fields: Fields, mine: Value) => Value
  /** The name of a field as people know it. */
  readonly label?: (name: string) => string
  readonly text?: (value: unknown, name: string) => string
}

/**
 * Somebody else saved what is being edited here: what each of them changed, and how to go on.
 * Nothing is saved by a choice; the screen's own button does that.
 */
export function ChangedMeanwhile<Value>({
  what,
  draft,
  view,
}: {
  /** "rule", "preset". */
  readonly what: string
  readonly draft: Draft<Value>
  readonly view: FieldView<Value>
}): ReactNode {
  const [picks, setPicks] = useState<Picks>({})
  if (!draft.isOutdated) return null
  const [base, mine, theirs] = [draft.base, draft.value, draft.saved].map(view.of)
  const isReadable = base !== undefined && mine !== undefined && theirs !== undefined
  const merged = isReadable ? mergedFields(base, mine, theirs, picks) : undefined
  const differences = isReadable ? differencesOf(base, mine, theirs) : []
  const { label = (name) => name, text = shownValue } = view
  return (
    <section aria-label="Changed by someone else" ref={intoView}>
      <Note kind="warn">
        <div className="stack">
          <p className="strong">Someone else has saved this {what} since you started</p>
          <p>
            {isReadable && differences.every(({ isConflict }) => !isConflict)
              ? 'You changed different parts, so both changes can be merged.'
              : 'You both changed the same part: choose whose change to keep.'}{' '}
            Your changes are not saved yet.
          </p>
          <ul className="changed-meanwhile stack">
            {differences.map(({ name, isConflict, ...versions }) => (
              <li key={name}>
                <span className="row">
                  <span className="strong">{label(name)}</span>
                  {isConflict && (
                    <>
                      <Badge kind="warn">Changed by both</Badge>
                      <span className="grow" />
                      <Segmented
                        label={`Whose ${label(name)}`}
                        options={PICKS}
                        value={picks[name] ?? ''}
                        onChange={(pick) => {
                          if (pick !== '') setPicks({ ...picks, [name]: pick })
                        }}
                      />
                    </>
                  )}
                </span>
                <dl>
                  {VERSIONS.map(([version, title]) => (
                    <div key={version}>
                      <dt className="muted small">{title}</dt>
                      <dd>
                        <bdi>{text(versions[version], name)}</bdi>
                      </dd>
                    </div>
                  ))}
                </dl>
              </li>
            ))}
          </ul>
          <div className="row">
            {isReadable && (
              <Button
                variant="primary"
                isDisabled={merged === undefined}
                onPress={() => draft.rebase(view.back(merged!, draft.value))}
              >
                Merge both
              </Button>
            )}
            <Button onPress={() => draft.rebase(draft.value)}>Keep mine</Button>
            <Button onPress={draft.clear}>Use theirs</Button>
          </div>
        </div>
      </Note>
    </section>
  )
}

const PICKS = [
  { value: 'mine', label: 'Yours' },
  { value: 'theirs', label: 'Theirs' },
] as const

const VERSIONS = [
  ['base', 'Before'],
  ['mine', 'Yours'],
  ['theirs', 'Theirs'],
] as const

/** Longer values are cut: the editor has the whole. */
const SHOWN_CHARS = 400

function shownValue(value: unknown): string {
  if (value === undefined || value === null) return '—'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}

/** Lines of text: each is there or not. */
export const LINES_VIEW: FieldView<string> = {
  of: (text) => Object.fromEntries(text.split('\n').map((line) => [line, true])),
  back: (fields) => Object.keys(fields).join('\n'),
  text: (value) => (value === true ? 'listed' : 'not listed'),
}
