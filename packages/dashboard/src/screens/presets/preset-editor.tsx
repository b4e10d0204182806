import { RefusedError } from '@aisle/client'
import { Search, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { ParameterPanel } from '../../parts/parameter-panel.tsx'
import { UsagePeriod, UseText, useUsage } from '../../parts/usage.tsx'
import type { ParameterName } from '../../parts/parameters.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { useUrlChange } from '../../state/url-state.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { Note } from '../../ui/note.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { PresetDiff } from './preset-diff.tsx'
import {
  changesFromDefaults,
  parsePreset,
  presetChanges,
  presetText,
  type PresetDraft,
} from './preset-values.ts'
import type { NamedPreset, Presets } from './presets-data.ts'

/** A preset cannot name another one. */
const WITHOUT: ReadonlySet<ParameterName> = new Set<ParameterName>(['preset_name'])
const NOTHING: NamedPreset = { name: '', value: {} }

interface Draft {
  readonly name: string
  /** As text, so that invalid JSON is kept too. */
  readonly text: string
}

/** A preset, with its differences from the saved one and from the defaults beside it. */
export function PresetEditor({
  saved,
  presets,
  all,
}: {
  readonly saved: NamedPreset | undefined
  readonly presets: Presets
  readonly all: readonly NamedPreset[]
}): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const usage = useUsage('presets')
  const before = saved ?? NOTHING
  const draft = useDraft<Draft>(`preset/${storeId}/${before.name}`, {
    name: before.name,
    text: presetText(before.value),
  })
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [isDeleting, setDeleting] = useState(false)
  const name = draft.value.name.trim()
  const value = parsePreset(draft.value.text)
  const isNew = saved === undefined
  const isTaken = isNew && all.some((other) => other.name === name)
  const set = (next: PresetDraft): void => {
    setFailure(undefined)
    draft.set({ ...draft.value, text: presetText(next) })
  }
  const save = async (): Promise<void> => {
    if (value === undefined) return
    setPending(true)
    setFailure(undefined)
    try {
      await presets.save(name, value)
      draft.clear()
      change({ preset: name, new: undefined })
      toast('Preset saved', 'good', () => {
        void (isNew ? presets.remove(name) : presets.save(name, saved.value))
        if (isNew) change({ preset: undefined })
      })
    } catch (error) {
      setFailure(error)
    } finally {
      setPending(false)
    }
  }
  const list = storePath(storeId, 'presets')
  return (
    <Page
      title={isNew ? 'New preset' : saved.name}
      about="Parameters that a search starts from; those of the request itself win."
      above={[{ label: 'Presets', to: list }]}
      width="full"
      actions={
        <>
          {!isNew && (
            <>
              <ActionMenu
                actions={[
                  {
                    id: 'delete',
                    label: 'Delete preset',
                    icon: Trash2,
                    isDangerous: true,
                    isDisabled: !mayEdit,
                    onAction: () => setDeleting(true),
                  },
                ]}
              />
              <LinkButton
                icon={Search}
                to={`${storePath(storeId, 'preview')}?preset_name=${encodeURIComponent(saved.name)}`}
              >
                Try in preview
              </LinkButton>
            </>
          )}
          {draft.isChanged && (
            <Button
              onPress={() => {
                setFailure(undefined)
                draft.clear()
              }}
            >
              Discard changes
            </Button>
          )}
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={
              !mayEdit ||
              name === '' ||
              isTaken ||
              value === undefined ||
              !(isNew || draft.isChanged)
            }
            onPress={() => void save()}
          >
            Save preset
          </Button>
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {failure !== undefined && <ErrorNote error={failure} />}
      <div className="presets-columns">
        <div className="stack-groups presets-main">
          {isNew && (
            <Section>
              <TextField
                label="Name"
                about="Letters, digits, spaces, dots, colons, hyphens and underscores. Searches name it in preset_name."
                isMono
                maxLength={128}
                value={draft.value.name}
                onChange={(next) => draft.set({ ...draft.value, name: next })}
                isDisabled={!mayEdit}
                error={isTaken ? 'There is a preset of this name' : nameError(failure)}
              />
            </Section>
          )}
          <Section>
            <PresetTabs
              text={draft.value.text}
              value={value}
              mayEdit={mayEdit}
              setText={(text) => draft.set({ ...draft.value, text })}
              set={set}
            />
          </Section>
        </div>
        <div className="stack-groups presets-side">
          {!isNew && (
            <Section title="Not saved yet">
              <PresetDiff
                changes={value === undefined ? [] : presetChanges(before.value, value)}
                none="Nothing: this is the saved preset."
              />
            </Section>
          )}
          {!isNew && (
            <Section title="Used by" actions={<UsagePeriod usage={usage} />}>
              <UseText usage={usage} name={saved.name} />
            </Section>
          )}
          <Section title="Different from the defaults">
            <PresetDiff
              changes={value === undefined ? [] : changesFromDefaults(value)}
              none="Nothing: a search with it is like one without."
            />
          </Section>
          <Section
            title="How a page uses it"
            about="Every search that names it follows with the next request."
          >
            <CodeBlock label="A search with the preset" samples={samples(name)} />
          </Section>
        </div>
      </div>
      <ConfirmDialog
        title={`Delete “${before.name}”`}
        confirmLabel="Delete preset"
        nameToType={before.name}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await presets.remove(before.name)
          draft.clear()
          change({ preset: undefined })
          toast('Preset deleted', 'good', () => void presets.save(before.name, before.value))
        }}
      >
        <UseText usage={usage} name={before.name} />
        <p>
          Searches that name it will be refused from then on. Change the pages that use it first.
        </p>
      </ConfirmDialog>
    </Page>
  )
}

/** The preset as controls, and as JSON. */
function PresetTabs({
  text,
  value,
  mayEdit,
  setText,
  set,
}: {
  readonly text: string
  /** Undefined while the JSON is not an object. */
  readonly value: PresetDraft | undefined
  readonly mayEdit: boolean
  readonly setText: (text: string) => void
  readonly set: (value: PresetDraft) => void
}): ReactNode {
  const setParameter = (parameter: string, next: unknown): void => {
    const { [parameter]: _, ...others } = value ?? {}
    set(next === undefined ? others : { ...others, [parameter]: next })
  }
  return (
    <Tabs
      label="How the preset is written"
      tabs={[
        {
          id: 'form',
          label: 'Controls',
          content:
            value === undefined ? (
              <Note kind="warn">The JSON is not an object yet: finish it there first.</Note>
            ) : (
              <fieldset className="presets-controls" disabled={!mayEdit} inert={!mayEdit}>
                <TextField
                  label="Query, when the request has none"
                  value={typeof value['q'] === 'string' ? value['q'] : ''}
                  onChange={(q) => setParameter('q', q === '' ? undefined : q)}
                  isDisabled={!mayEdit}
                  maxLength={1_000}
                />
                <ParameterPanel
                  given={value}
                  set={setParameter}
                  reset={() => set({})}
                  without={WITHOUT}
                />
              </fieldset>
            ),
        },
        {
          id: 'json',
          label: 'JSON',
          content: (
            <JsonEditor
              label="The preset as JSON"
              value={text}
              isReadOnly={!mayEdit}
              height={420}
              onChange={(next) => {
                if (next !== text) setText(next)
              }}
            />
          ),
        },
      ]}
    />
  )
}

function samples(name: string): { readonly label: string; readonly code: string }[] {
  const request = JSON.stringify({ q: 'tent', preset_name: name === '' ? 'NAME' : name })
  return [
    { label: 'Request', code: `POST /v1/search\n${request}` },
    {
      label: 'JavaScript',
      code: `await client.store(storeId).search(${request})`,
    },
  ]
}

/** The error of the name; other errors are in the note. */
function nameError(failure: unknown): string | undefined {
  return failure instanceof RefusedError ? fieldErrors(failure)['name'] : undefined
}
