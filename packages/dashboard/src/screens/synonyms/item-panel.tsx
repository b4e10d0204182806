import type { SynonymItem } from '@aisle/client'
import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { QuerySet } from '../../parts/query-sets.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { Note } from '../../ui/states.tsx'
import { Form } from '../../ui/form.tsx'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { TrySynonym } from './try-synonym.tsx'
import { draftOf, ITEM_VIEW, itemOf, NEW_ITEM, type SynonymDraft } from './synonym-items.ts'
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
import type { Version } from '../../parts/store-queries.ts'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'
import type { Change } from '../../state/change.ts'

const DIRECTIONS = [
  {
    value: 'both' as const,
    label: 'Both ways',
    about: 'Each word also finds the others: sofa, couch, settee.',
  },
  {
    value: 'one' as const,
    label: 'One way',
    about:
      'A query for one word also finds others, not the other way round: “shoes” finds sneakers.',
  },
]

interface ItemPanelProps extends Pick<SidePanelProps, 'onClose' | 'onPrevious' | 'onNext'> {
  readonly set: QuerySet<SynonymItem>
  /** Index of the item in its set; `new` for one that is not in it yet. */
  readonly place: string
  readonly item: SynonymItem | undefined
  /** The change that saves an item, or deletes this one. */
  readonly changeTo: (item: SynonymItem | undefined) => Change
  /** The change that creates the set again with an item, after somebody else has deleted it. */
  readonly createWith: (item: SynonymItem) => Change<Version>
}

/** One synonym, to be written or changed. */
export function ItemPanel({
  set,
  place,
  item,
  changeTo,
  createWith,
  ...panel
}: ItemPanelProps): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const [word] = useUrlState('word')
  const editor = useEditor<SynonymDraft>(
    // A new synonym that begins with a word from the address has its own draft.
    `synonym/${storeId}/${set.name}/${place}${word === '' ? '' : `/${word}`}`,
    item === undefined ? { ...NEW_ITEM, words: word === '' ? '' : `${word}\n` } : draftOf(item),
  )
  const [isTried, setTried] = useState(false)
  const { direction, root, words } = editor.value
  const next = itemOf(editor.value, item?.id)
  const problem = 'problem' in next ? next.problem : undefined
  const save = (): void => {
    setTried(true)
    if (!('problem' in next)) editor.save(changeTo(next))
  }

  const refresh = useRefresh()
  const isGone = isDeletedMeanwhile(editor.error)
  return (
    <SidePanel
      title={item === undefined ? 'New synonym' : (item.root ?? item.synonyms.join(', '))}
      {...panel}
      footer={
        <>
          {item !== undefined && (
            <Button
              variant="ghost"
              icon={Trash2}
              isDisabled={!mayEdit}
              onPress={() => editor.save(changeTo(undefined))}
            >
              Delete synonym
            </Button>
          )}
          <span className="grow" />
          <EditorButtons
            editor={editor}
            label="Save synonym"
            isDisabled={!mayEdit || !editor.isChanged}
            onSave={save}
          />
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      <ChangedMeanwhile what="synonym" draft={editor} view={ITEM_VIEW} />
      {isGone && (
        <DeletedMeanwhile
          what="set"
          isPending={editor.isPending}
          onCreate={() => {
            if (!('problem' in next)) editor.save(createWith(next))
          }}
          onDiscard={() => {
            editor.discard()
            panel.onClose()
            void refresh('synonym-sets')
          }}
        />
      )}
      <Form onSubmit={save} error={isGone ? null : editor.error}>
        <RadioCards
          label="Direction"
          options={DIRECTIONS}
          value={direction}
          isDisabled={!mayEdit}
          onChange={(value) => editor.set({ ...editor.value, direction: value })}
        />
        {direction === 'one' && (
          <TextField
            label="A query for"
            about="What visitors type; may be several words."
            value={root}
            isReadOnly={!mayEdit}
            onChange={(value) => editor.set({ ...editor.value, root: value })}
          />
        )}
        <TextField
          label={direction === 'one' ? 'Also finds' : 'Words that mean the same'}
          about="One word or phrase per line."
          lines={6}
          value={words}
          isReadOnly={!mayEdit}
          error={isTried ? problem : undefined}
          onChange={(value) => editor.set({ ...editor.value, words: value })}
        />
      </Form>
      {!('problem' in next) && (
        <TrySynonym
          item={next}
          set={{
            ...set,
            entries: set.entries.toSpliced(
              item === undefined ? set.entries.length : Number(place),
              1,
              next,
            ),
          }}
        />
      )}
    </SidePanel>
  )
}
