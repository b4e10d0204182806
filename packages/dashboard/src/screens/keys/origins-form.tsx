import type { ReactNode } from 'react'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'
import { useSettings } from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** The sites from which browsers may search with the read secret. */
export function OriginsForm(): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const mayChange = useMay('editor')
  const { data } = useSettings()
  const editor = useEditor(`origins/${storeId}`, (data?.cors_origins ?? []).join('\n'))
  const save = (): void =>
    editor.save({
      write: async () => {
        await calls.changeSettings({ cors_origins: linesOf(editor.value) })
        await refresh('settings')
      },
      done: () => 'Sites saved',
    })
  return (
    <Section
      title="Sites that may search"
      about="Browsers may search from these sites with the read secret. Servers need no entry."
    >
      <Form
        onSubmit={save}
        error={editor.error}
        actions={
          editor.isChanged && (
            <EditorButtons editor={editor} label="Save sites" isDisabled={false} />
          )
        }
      >
        <TextField
          label="Origins, one per line"
          name="cors_origins"
          about={
            mayChange
              ? 'For example https://shop.example.com. Use * to allow every site.'
              : `${ROLE_HINTS.editor}.`
          }
          placeholder="https://shop.example.com"
          lines={3}
          isMono
          value={editor.value}
          onChange={editor.set}
          isReadOnly={!mayChange}
        />
      </Form>
    </Section>
  )
}

function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
