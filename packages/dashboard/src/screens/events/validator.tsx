import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStore } from '../../shell/store-context.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { Note } from '../../ui/note.tsx'

const SAMPLE = JSON.stringify(
  {
    event_type: 'click',
    data: { query: 'tent', document_id: 'product-1', position: 1, search_id: 'of-the-search' },
  },
  null,
  2,
)

/** Checks an event before a shop sends it; nothing is stored. */
export function Validator(): ReactNode {
  const { storeId, calls } = useStore()
  const draft = useDraft(`validator/${storeId}`, SAMPLE)
  const check = useMutation({ mutationFn: () => calls.validateEvent(JSON.parse(draft.value)) })
  const isJson = parses(draft.value)
  const result = check.data
  return (
    <div className="stack events-validator">
      <p className="muted">
        An event of the simple form, as <code>/analytics/event</code> takes it. Nothing is kept.
      </p>
      <JsonEditor
        label="Event to check"
        value={draft.value}
        onChange={(value) => {
          check.reset()
          draft.set(value)
        }}
        height={260}
      />
      <div className="row">
        <Button
          variant="primary"
          isPending={check.isPending}
          isDisabled={!isJson}
          onPress={() => check.mutate()}
        >
          Check event
        </Button>
        {draft.isChanged && <Button onPress={draft.clear}>Reset to the sample</Button>}
        {!isJson && <span className="small muted">This is no JSON yet.</span>}
      </div>
      {check.error !== null && <ErrorNote error={check.error} />}
      {result !== undefined && (
        <Note kind={result.valid ? 'good' : 'bad'}>
          <p className="strong">{result.valid ? 'It would be accepted' : 'It would be refused'}</p>
          {[...(result.errors ?? []), ...result.warnings].map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Note>
      )}
    </div>
  )
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
