import { RefusedError } from '@aisle/client'
import { toast } from './toasts.ts'

/** A change that somebody makes, confirmed by a toast that can undo it. */
export interface Change<Result = unknown> {
  write(): Promise<Result>
  /** Runs before it is confirmed: the edited thing is closed, lists are read again. */
  after?(result: Result): unknown
  /** Confirms it: "Rule published". */
  done(result: Result): string
  undo?(result: Result): Promise<unknown>
}

/** @throws the error of `write`; a failed undo is a toast */
export async function perform<Result>(change: Change<Result>): Promise<Result> {
  const result = await change.write()
  await change.after?.(result)
  const undo = (): void =>
    void change.undo?.(result).catch((error: unknown) => {
      const isLate = error instanceof RefusedError && error.status === 412
      const why = isLate ? ': someone else has changed it since' : ''
      toast(`Couldn't undo${why}`, 'bad')
    })
  toast(change.done(result), 'good', change.undo === undefined ? undefined : undo)
  return result
}
