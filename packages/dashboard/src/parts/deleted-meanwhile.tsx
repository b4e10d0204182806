import { RefusedError } from '@aisle/client'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { intoView } from '../ui/into-view.ts'
import { Note } from '../ui/states.tsx'

/** Somebody else deleted what is being edited here: it is created again, or given up. */
export function DeletedMeanwhile({
  what,
  isPending,
  onCreate,
  onDiscard,
}: {
  /** "rule", "product". */
  readonly what: string
  readonly isPending: boolean
  readonly onCreate: () => void
  readonly onDiscard: () => void
}): ReactNode {
  return (
    <section aria-label="Deleted by someone else" ref={intoView}>
      <Note kind="warn">
        <div className="stack">
          <p className="strong">Someone else has deleted this {what} since you started</p>
          <p>Your changes are not saved.</p>
          <div className="row">
            <Button variant="primary" isPending={isPending} onPress={onCreate}>
              Create it again
            </Button>
            <Button onPress={onDiscard}>Discard changes</Button>
          </div>
        </div>
      </Note>
    </section>
  )
}

/** Whether a change failed because what it changes does not exist any more. */
export function isDeletedMeanwhile(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 404 && error.code !== 'store_not_found'
}
