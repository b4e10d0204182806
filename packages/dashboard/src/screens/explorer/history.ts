import { currentTimeMs } from '../../state/clock.ts'
import { useStored } from '../../state/stored.ts'
import type { RequestDraft } from './request.ts'

const ENTRIES_MAX = 30
/** A larger body is not stored. UTF-16 units. */
const BODY_MAX_CHARS = 20_000

/** A request that was sent from this tab. */
export interface SentRequest {
  readonly operationId: string
  readonly storeId: string | undefined
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly atMs: number
  readonly draft: RequestDraft
}

export interface RequestHistoryState {
  readonly entries: readonly SentRequest[]
  readonly add: (sent: Omit<SentRequest, 'atMs'>) => void
  readonly clear: () => void
  /** Replaces the draft of another operation. */
  readonly restore: (draftName: string, draft: RequestDraft) => void
}

const NONE: readonly SentRequest[] = []

/** The requests of this tab, newest first; they do not outlive it. */
export function useRequestHistory(): RequestHistoryState {
  const [entries, setEntries, clear] = useStored(sessionStorage, 'aisle.explorer.history', NONE)
  return {
    entries,
    add: (sent) => {
      const { body } = sent.draft
      const draft = body.length > BODY_MAX_CHARS ? { ...sent.draft, body: '' } : sent.draft
      setEntries([{ ...sent, draft, atMs: currentTimeMs() }, ...entries].slice(0, ENTRIES_MAX))
    },
    clear,
    restore: (name, draft) => {
      try {
        sessionStorage.setItem(`aisle.draft.${name}`, JSON.stringify(draft))
      } catch {
        // The storage is full or not allowed: the operation opens with its example.
      }
    },
  }
}
