import { Ban } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { SetPage } from '../../parts/set-page.tsx'
import { useQuerySets, type QuerySet } from '../../parts/query-sets.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { linesToWords, wordsToLines } from '../../parts/word-lines.ts'

/** Sets of words that are removed from queries. */
export function StopwordsScreen(): ReactNode {
  const sets = useQuerySets<string>('stopword-sets')
  return (
    <SetPage
      title="Stop words"
      about="Words that are taken out of a query before it is searched."
      icon={Ban}
      why="Visitors type “cheap” or “buy”, and no product says so. A stop word need not match. The common words of a language (the, for) count little anyway and need no entry."
      entryName="stop word"
      sets={sets}
    >
      {(set, mayEdit) => <Words key={set.name} set={set} mayEdit={mayEdit} onSave={sets.save} />}
    </SetPage>
  )
}

function Words({
  set,
  mayEdit,
  onSave,
}: {
  readonly set: QuerySet<string>
  readonly mayEdit: boolean
  readonly onSave: (set: QuerySet<string>) => Promise<void>
}): ReactNode {
  const { storeId } = useStore()
  const saved = wordsToLines(set.entries)
  const draft = useDraft(`stop-words/${storeId}/${set.name}`, saved)
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const words = linesToWords(draft.value)
  const isChanged = wordsToLines(words) !== saved

  const save = async (): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      await onSave({ ...set, entries: words })
      draft.clear()
      toast('Stop words saved', 'good', () => void onSave(set))
    } catch (failure) {
      setError(failure)
    } finally {
      setPending(false)
    }
  }

  return (
    <Section
      title={formatCount(words.length, 'stop word')}
      about="One entry per line; several words on a line are removed where they stand side by side. Capitals and accents do not matter. A query of stop words alone is searched as a whole."
    >
      <Form onSubmit={() => void save()} error={error}>
        <TextField
          label="Stop words"
          name="stopwords"
          lines={14}
          value={draft.value}
          onChange={draft.set}
          isReadOnly={!mayEdit}
          placeholder={'cheap\nbuy\nfree shipping'}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <div className="row">
          <Button
            type="submit"
            variant="primary"
            isPending={isPending}
            isDisabled={!mayEdit || !isChanged}
          >
            Save stop words
          </Button>
          {draft.isChanged && <Button onPress={draft.clear}>Discard changes</Button>}
        </div>
      </Form>
    </Section>
  )
}
