import { FlaskConical, Search, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { ExperimentDialog } from '../../parts/experiment-dialog.tsx'
import { ParameterPanel } from '../../parts/parameter-panel.tsx'
import { UsagePeriod, UseText, useUsage } from '../../parts/usage.tsx'
import type { ParameterName } from '../../parts/parameters.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { useUrlChange } from '../../state/url-state.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PresetDiff } from './preset-diff.tsx'
import {
  changesFromDefaults,
  parsePreset,
  presetChanges,
  presetText,
  type PresetDraft,
  type NamedPreset,
  type Presets,
} from './preset-values.ts'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'

/** A preset cannot name another one. */
const WITHOUT: ReadonlySet<ParameterName> = new Set<ParameterName>(['preset_name'])
const NOTHING: NamedPreset = { name: '', value: {} }

interface Draft {
  readonly name: string
  /** As text, so that invalid JSON is kept too. */
  readonly text: string
}

const VIEW: FieldView<Draft> = {
  of: ({ text }) => parsePreset(text),
  back: (fields, mine) => ({ ...mine, text: presetText(fields) }),
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
  const refresh = useRefresh()
  const before = saved ?? NOTHING
  const editor = useEditor<Draft>(`preset/${storeId}/${before.name}`, {
    name: before.name,
    text: presetText(before.value),
  })
  const [isDeleting, setDeleting] = useState(false)
  const [isTrying, setTrying] = useState(false)
  const name = editor.value.name.trim()
  const value = parsePreset(editor.value.text)
  const isNew = saved === undefined
  const isTaken = isNew && all.some((other) => other.name === name)
  const set = (next: PresetDraft): void => {
    editor.reset()
    editor.set({ ...editor.value, text: presetText(next) })
  }
  /** @param base absent: creates it */
  const saveOver = (base: PresetDraft | undefined): void => {
    if (value === undefined) return
    editor.save({
      write: () => presets.save(name, value, base),
      after: () => change({ preset: name, new: undefined }),
      done: () => 'Preset saved',
      undo: (written) => {
        if (!isNew) return presets.save(name, saved.value, written)
        change({ preset: undefined })
        return presets.remove(name, written)
      },
    })
  }
  const list = storePath(storeId, 'presets')
  return (
    <Page
      title={isNew ? 'New preset' : saved.name}
      about="Default search parameters. Parameters of the request override them."
      above={[{ label: 'Presets', to: list }]}
      actions={
        <>
          {!isNew && (
            <>
              <ActionMenu
                actions={[
                  {
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
          <EditorButtons
            editor={editor}
            label="Save preset"
            isDisabled={
              !mayEdit ||
              name === '' ||
              isTaken ||
              value === undefined ||
              !(isNew || editor.isChanged)
            }
            onSave={() => saveOver(saved?.value)}
          />
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {isDeletedMeanwhile(editor.error) ? (
        <DeletedMeanwhile
          what="preset"
          isPending={editor.isPending}
          onCreate={() => saveOver(undefined)}
          onDiscard={() => {
            editor.discard()
            change({ preset: undefined })
            void refresh('presets')
          }}
        />
      ) : (
        editor.error !== null && <ErrorNote error={editor.error} />
      )}
      <ChangedMeanwhile what="preset" draft={editor} view={VIEW} />
      <div className="presets-columns">
        <div className="stack-groups presets-main">
          {isNew && (
            <Section>
              <TextField
                label="Name"
                about="Letters, digits, spaces, dots, colons, hyphens and underscores. Searches name it in preset_name."
                isMono
                maxLength={128}
                value={editor.value.name}
                onChange={(next) => editor.set({ ...editor.value, name: next })}
                isDisabled={!mayEdit}
                error={isTaken ? 'This name is taken' : fieldErrors(editor.error)['name']}
              />
            </Section>
          )}
          <Section>
            <PresetTabs
              text={editor.value.text}
              value={value}
              mayEdit={mayEdit}
              setText={(text) => editor.set({ ...editor.value, text })}
              set={set}
            />
          </Section>
        </div>
        <div className="stack-groups presets-side">
          {!isNew && (
            <Section
              title="Not saved yet"
              actions={
                value !== undefined &&
                editor.isChanged &&
                mayEdit && (
                  <Button size="small" icon={FlaskConical} onPress={() => setTrying(true)}>
                    Run as experiment
                  </Button>
                )
              }
            >
              <PresetDiff
                changes={value === undefined ? [] : presetChanges(before.value, value)}
                none="No changes."
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
              none="Nothing yet. This preset has no effect."
            />
          </Section>
          <Section title="How to use it" about="Applies to the next search that names it.">
            <CodeBlock label="A search with the preset" samples={samples(name)} />
          </Section>
        </div>
      </div>
      {isTrying && value !== undefined && (
        <ExperimentDialog
          name={`Preset ${before.name}`}
          draft={{ presets: { [before.name]: { value } } }}
          onClose={() => setTrying(false)}
        />
      )}
      <ConfirmDialog
        title={`Delete “${before.name}”`}
        confirmLabel="Delete preset"
        nameToType={before.name}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() =>
          editor.remove({
            write: () => presets.remove(before.name, before.value),
            after: () => change({ preset: undefined }),
            done: () => 'Preset deleted',
            undo: () => presets.save(before.name, before.value),
          })
        }
      >
        <UseText usage={usage} name={before.name} />
        <p>Searches that name it will fail. Change the pages that use it first.</p>
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
      label="Preset format"
      tabs={[
        {
          id: 'form',
          label: 'Controls',
          content:
            value === undefined ? (
              <Note kind="warn">The JSON is not valid yet. Fix it first.</Note>
            ) : (
              <fieldset className="presets-controls" disabled={!mayEdit} inert={!mayEdit}>
                <TextField
                  label="Query, if the request has none"
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
