import type { ReactNode } from 'react'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'
import { ChangedMeanwhile, LINES_VIEW } from '../../parts/changed-meanwhile.tsx'
import { requireUnchanged, useSettings } from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** The sites from which browsers may search with the read secret. */
export function OriginsForm(): ReactNode {
  const { data, error, refetch } = useSettings()
  return (
    <Section
      title="Sites that may search"
      about="Browsers may search from these sites with the read secret. Servers need no entry."
    >
      {data !== undefined && <Origins saved={textOf(data.cors_origins)} />}
      {data === undefined && error === null && <SkeletonLines count={4} />}
      {data === undefined && error !== null && (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  )
}

/** @param saved one per line */
function Origins({ saved }: { readonly saved: string }): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const mayChange = useMay('editor')
  const editor = useEditor(`origins/${storeId}`, saved)
  const save = (): void =>
    editor.save({
      write: async () => {
        const { value, etag } = await calls.taggedSettings()
        try {
          requireUnchanged(textOf(value.cors_origins), editor.base)
          await calls.changeSettings({ cors_origins: linesOf(editor.value) }, etag)
        } finally {
          await refresh('settings')
        }
      },
      done: () => 'Sites saved',
    })
  return (
    <>
      <ChangedMeanwhile what="list" draft={editor} view={LINES_VIEW} />
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
    </>
  )
}

function textOf(origins: readonly string[]): string {
  return origins.join('\n')
}

function linesOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
