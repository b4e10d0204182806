import { FlaskConical, Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { ExperimentDialog } from '../../parts/experiment-dialog.tsx'
import { ParameterPanel } from '../../parts/parameter-panel.tsx'
import { UsagePeriod, UseText, useUsage } from '../../parts/usage.tsx'
import type { ParameterName } from '../../parts/parameters.ts'
import { useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { Section } from '../../ui/page.tsx'
import { Note } from '../../ui/states.tsx'
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
import type { FieldView } from '../../parts/changed-meanwhile.tsx'
import { useEditor } from '../../parts/editor.tsx'
import { NamedEditor, NameField } from '../../parts/named-editor.tsx'

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
  const usage = useUsage('presets')
  const before = saved ?? NOTHING
  const editor = useEditor<Draft>(`preset/${storeId}/${before.name}`, {
    name: before.name,
    text: presetText(before.value),
  })
  const [isTrying, setTrying] = useState(false)
  const value = parsePreset(editor.value.text)
  const isNew = saved === undefined
  const others = all.map((other) => other.name)
  const set = (next: PresetDraft): void => {
    editor.reset()
    editor.set({ ...editor.value, text: presetText(next) })
  }
  return (
    <NamedEditor
      kind="preset"
      title={isNew ? 'New preset' : saved.name}
      about="Default search parameters. Parameters of the request override them."
      saved={saved}
      others={others}
      editor={editor}
      view={VIEW}
      name={editor.value.name}
      value={value}
      resources={presets}
      isFaultShown={false}
      isNameTyped
      actions={
        <LinkButton
          icon={Search}
          to={`${storePath(storeId, 'preview')}?preset_name=${encodeURIComponent(before.name)}`}
        >
          Try in preview
        </LinkButton>
      }
      atItsEnd={
        <>
          <UseText usage={usage} name={before.name} />
          <p>Searches that name it will fail. Change the pages that use it first.</p>
        </>
      }
    >
      <div className="presets-columns">
        <div className="stack-groups presets-main">
          {isNew && (
            <Section>
              <NameField
                about="Searches name it in preset_name."
                value={editor.value.name}
                onChange={(next) => editor.set({ ...editor.value, name: next })}
                others={others}
                error={fieldErrors(editor.error)['name']}
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
            <CodeBlock
              label="A search with the preset"
              samples={samples(editor.value.name.trim())}
            />
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
    </NamedEditor>
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
