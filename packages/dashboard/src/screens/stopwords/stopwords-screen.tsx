import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { SetPage } from '../../parts/set-page.tsx'
import { useQuerySets, type QuerySet, type QuerySets } from '../../parts/query-sets.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { formatCount } from '../../format/numbers.ts'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { linesToWords, wordsToLines } from '../../parts/word-lines.ts'
import { ChangedMeanwhile, LINES_VIEW } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'

/** Sets of words that are removed from queries. */
export function StopwordsScreen(): ReactNode {
  const sets = useQuerySets<string>('stopword-sets')
  return (
    <SetPage
      title="Stop words"
      about="Words removed from a query before it is searched."
      icon={Ban}
      why="Visitors type “cheap” or “buy”, but no product says so. Stop words need not match. Common words (the, for) count little anyway and need no entry."
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
  readonly onSave: QuerySets<string>['save']
}): ReactNode {
  const { storeId } = useStore()
  const saved = wordsToLines(set.entries)
  const editor = useEditor(`stop-words/${storeId}/${set.name}`, saved)
  const words = linesToWords(editor.value)
  const refresh = useRefresh()
  /** @param base absent: creates the set */
  const saveOver = (base: QuerySet<string> | undefined): void =>
    editor.save({
      write: () => onSave({ ...set, entries: words }, base),
      done: () => 'Stop words saved',
      undo: (written) => onSave(set, written),
    })
  const isGone = isDeletedMeanwhile(editor.error)
  return (
    <Section
      title={formatCount(words.length, 'stop word')}
      about="One entry per line; a phrase is removed as a whole. Case and accents are ignored. A query of only stop words is searched unchanged."
    >
      {isGone && (
        <DeletedMeanwhile
          what="set"
          isPending={editor.isPending}
          onCreate={() => saveOver(undefined)}
          onDiscard={() => {
            editor.discard()
            void refresh('stopword-sets')
          }}
        />
      )}
      <ChangedMeanwhile what="set" draft={editor} view={LINES_VIEW} />
      <Form
        onSubmit={() => saveOver(set)}
        error={isGone ? null : editor.error}
        actions={
          <EditorButtons
            editor={editor}
            label="Save stop words"
            isDisabled={!mayEdit || wordsToLines(words) === saved}
          />
        }
      >
        <TextField
          label="Stop words"
          name="stopwords"
          lines={14}
          value={editor.value}
          onChange={editor.set}
          isReadOnly={!mayEdit}
          placeholder={'cheap\nbuy\nfree shipping'}
        />
      </Form>
    </Section>
  )
}
