import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { perform, type Change } from '../state/change.ts'
import { useDraft, type Draft } from '../state/draft.ts'
import { Button } from '../ui/button.tsx'

/** What is being edited: the draft, and the ways to save, discard and delete it. */
export interface Editor<Value> extends Draft<Value> {
  /** Makes a change that ends the draft; its error is `error`. */
  readonly save: <Result>(change: Change<Result>) => void
  readonly error: unknown
  readonly isPending: boolean
  /** The same for a dialog, which shows the error itself. */
  readonly remove: <Result>(change: Change<Result>) => Promise<unknown>
  readonly discard: () => void
  /** Forgets the error. */
  readonly reset: () => void
}

/** @param name of the draft, see `useDraft` */
export function useEditor<Value>(name: string, saved: Value): Editor<Value> {
  const draft = useDraft(name, saved)
  const end = (change: Change): Promise<unknown> =>
    perform({
      ...change,
      after: (result) => {
        draft.clear()
        return change.after?.(result)
      },
    })
  const { mutate, error, isPending, reset } = useMutation({ mutationFn: end })
  const discard = (): void => {
    draft.clear()
    reset()
  }
  return {
    ...draft,
    save: (change) => mutate(change),
    // The panel of both versions says it.
    error: draft.isOutdated ? null : error,
    isPending,
    remove: end,
    clear: discard,
    discard,
    // Between a change and the end of its draft, what is saved is the draft itself.
    isOutdated: draft.isOutdated && !isPending,
    rebase: (value) => {
      draft.rebase(value)
      reset()
    },
    reset,
  }
}

/** Discards or saves. @param onSave absent in a form, whose button it is */
export function EditorButtons({
  editor: { isChanged, isOutdated, isPending, discard },
  label,
  isDisabled,
  onSave,
}: {
  readonly editor: Pick<Editor<unknown>, 'isChanged' | 'isOutdated' | 'isPending' | 'discard'>
  /** Verb and object: "Save preset". */
  readonly label: string
  readonly isDisabled: boolean
  readonly onSave?: () => void
}): ReactNode {
  return (
    <>
      {isChanged && <Button onPress={discard}>Discard changes</Button>}
      <Button
        variant="primary"
        isPending={isPending}
        isDisabled={isDisabled || isOutdated}
        {...(onSave === undefined ? { type: 'submit' } : { onPress: onSave })}
      >
        {label}
      </Button>
    </>
  )
}
