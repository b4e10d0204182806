import type { SynonymItem } from '@aisle/client'
import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDraft } from '../../state/draft.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { RadioCards } from '../../ui/choice.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Form } from '../../ui/form.tsx'
import { Note } from '../../ui/note.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { draftOf, itemOf, NEW_ITEM, type SynonymDraft } from './synonym-items.ts'

const DIRECTIONS = [
  {
    value: 'both' as const,
    label: 'Both ways',
    about: 'Each word finds products that say one of the others: sofa, couch, settee.',
  },
  {
    value: 'one' as const,
    label: 'One way',
    about:
      'A query for one word also finds others, not the other way round: “shoes” finds sneakers.',
  },
]

export interface ItemPanelProps {
  readonly setName: string
  /** Index of the item in its set; `new` for one that is not in it yet. */
  readonly place: string
  readonly item: SynonymItem | undefined
  readonly onClose: () => void
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onSave: (item: SynonymItem) => Promise<void>
  readonly onDelete: () => Promise<void>
}

/** One synonym, to be written or changed. */
export function ItemPanel(props: ItemPanelProps): ReactNode {
  const { setName, place, item } = props
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const [word] = useUrlState('word')
  const draft = useDraft<SynonymDraft>(
    // A new synonym that begins with a word from the address is a draft of its own.
    `synonym/${storeId}/${setName}/${place}${word === '' ? '' : `/${word}`}`,
    item === undefined ? { ...NEW_ITEM, words: word === '' ? '' : `${word}\n` } : draftOf(item),
  )
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const [isTried, setTried] = useState(false)
  const { direction, root, words } = draft.value
  const next = itemOf(draft.value, item?.id)
  const problem = 'problem' in next ? next.problem : undefined

  const perform = async (change: () => Promise<void>): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      await change()
      draft.clear()
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  const save = (): void => {
    setTried(true)
    if (!('problem' in next)) void perform(() => props.onSave(next))
  }

  return (
    <SidePanel
      title={item === undefined ? 'New synonym' : (item.root ?? item.synonyms.join(', '))}
      isOpen
      onClose={props.onClose}
      onPrevious={props.onPrevious}
      onNext={props.onNext}
      footer={
        <>
          {item !== undefined && (
            <Button
              variant="ghost"
              icon={Trash2}
              isDisabled={!mayEdit}
              onPress={() => void perform(props.onDelete)}
            >
              Delete synonym
            </Button>
          )}
          <span className="grow" />
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={!mayEdit || !draft.isChanged}
            onPress={save}
          >
            Save synonym
          </Button>
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      <Form onSubmit={save} error={error}>
        <RadioCards
          label="Direction"
          options={DIRECTIONS}
          value={direction}
          isDisabled={!mayEdit}
          onChange={(value) => draft.set({ ...draft.value, direction: value })}
        />
        {direction === 'one' && (
          <TextField
            label="A query for"
            about="What visitors type; may be several words."
            value={root}
            isReadOnly={!mayEdit}
            onChange={(value) => draft.set({ ...draft.value, root: value })}
          />
        )}
        <TextField
          label={direction === 'one' ? 'Also finds' : 'Words that mean the same'}
          about="One entry per line; a line may be several words that stand side by side."
          lines={6}
          value={words}
          isReadOnly={!mayEdit}
          error={isTried ? problem : undefined}
          onChange={(value) => draft.set({ ...draft.value, words: value })}
        />
      </Form>
      {error !== undefined && <ErrorNote error={error} />}
    </SidePanel>
  )
}
