import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSettings } from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'

/** The sites from which browsers may search with the read secret. */
export function OriginsForm(): ReactNode {
  const { storeId, calls } = useStore()
  const queries = useQueryClient()
  const mayChange = useMay('editor')
  const { data } = useSettings()
  const saved = (data?.cors_origins ?? []).join('\n')
  const draft = useDraft(`origins/${storeId}`, saved)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => calls.changeSettings({ cors_origins: linesOf(draft.value) }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['settings', storeId] })
      draft.clear()
      toast('Sites saved')
    },
  })
  return (
    <Section
      title="Sites that may search"
      about="Browsers search from these sites with the read secret. Servers need no entry here."
    >
      <Form onSubmit={() => mutate()} error={error}>
        <TextField
          label="Origins, one a line"
          name="cors_origins"
          about={
            mayChange ? 'https://shop.example.com; * allows every site.' : `${ROLE_HINTS.editor}.`
          }
          placeholder="https://shop.example.com"
          lines={3}
          isMono
          value={draft.value}
          onChange={draft.set}
          isReadOnly={!mayChange}
        />
        {error !== null && <ErrorNote error={error} />}
        {draft.isChanged && (
          <div className="form-actions">
            <Button type="submit" variant="primary" isPending={isPending}>
              Save sites
            </Button>
            <Button onPress={draft.clear}>Discard changes</Button>
          </div>
        )}
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
