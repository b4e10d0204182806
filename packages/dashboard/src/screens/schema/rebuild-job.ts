import type { AisleClient, SchemaFieldRequest, StoreClient, StoreSummary } from '@aisle/client'
import type { FileFailure } from '@aisle/configuration'
import type { DocumentsCopied } from '@aisle/import'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { proposedStoreId } from '../../parts/store-id.ts'
import { Shared, useShared } from '../../state/shared.ts'

/** Documents that are listed with the reason why they do not fit. */
const MISFITS_SHOWN_MAX = 20

export type RebuildPhase = 'copying' | 'cancelling' | 'stopped' | 'ready' | 'swapping' | 'swapped'

/** A document that the new schema does not accept. */
export interface Misfit {
  readonly id: string
  readonly reason: string
}

/**
 * A rebuild in this page. It continues on all screens, and ends with the tab; its copy stays, and
 * another tab can continue it (`EarlierCopy`).
 */
export interface RebuildJob {
  readonly storeId: string
  readonly storeName: string
  /** Absent until the copy is created. */
  readonly copyId?: string
  readonly copyName: string
  readonly phase: RebuildPhase
  /** Documents of the current copy. */
  readonly done: number
  readonly total: number
  /** Documents that do not fit, up to a limit, and how many were found. */
  readonly misfits: readonly Misfit[]
  readonly misfitCount: number
  /** Too many in a row did not fit for one reason, so the rest was not tried. */
  readonly isCutShort: boolean
  /** Settings, presets, rules and sets that the copy refused. */
  readonly refusals: readonly FileFailure[]
  /** Why it stopped: an error, or a sentence. */
  readonly error: unknown
  readonly reason: string | undefined
  /** Something was written between the last copy and the swap. */
  readonly isLate: boolean
}

export interface RebuildRequest {
  readonly api: AisleClient
  readonly store: StoreSummary
  readonly fields: readonly SchemaFieldRequest[]
  /** Fields whose values are not copied. */
  readonly leftOut: readonly string[]
  /** A copy that another tab began, with these fields; absent: a new one. */
  readonly copy?: StoreSummary | undefined
  /** The list of stores changed; waits until the page has the new one. */
  readonly onStores: () => Promise<void>
  readonly onSwapped: () => void
}

/** The state of a step that has just begun. */
const NOTHING_FOUND = {
  done: 0,
  misfits: [],
  misfitCount: 0,
  isCutShort: false,
  refusals: [],
  error: undefined,
  reason: undefined,
} as const

const JOB = new Shared<RebuildJob | undefined>(undefined)
let current: Rebuild | undefined

export function useRebuild(): RebuildJob | undefined {
  return useShared(JOB)
}

function update(changes: Partial<RebuildJob>): void {
  if (JOB.value !== undefined) JOB.set({ ...JOB.value, ...changes })
}

/** Starts what `aisle reindex` does, up to the swap. Only one runs at a time. */
export function startRebuild(request: RebuildRequest): void {
  if (current !== undefined) return
  const { store, copy } = request
  JOB.set({
    storeId: store.store_id,
    storeName: store.name,
    ...(copy === undefined ? {} : { copyId: copy.store_id }),
    copyName: copy?.name ?? store.name,
    phase: 'copying',
    total: store.documents,
    ...NOTHING_FOUND,
    isLate: false,
  })
  current = new Rebuild(request)
  addEventListener('beforeunload', warn)
  void current.prepare()
}

/** Copies again, after what did not fit was corrected. */
export function retryRebuild(): void {
  void current?.prepare()
}

export function swapRebuild(): void {
  void current?.swap()
}

/** Ends a rebuild and deletes its copy; after the swap, the previous version. */
export async function discardRebuild(): Promise<void> {
  await current?.discard()
}

/** Ends a rebuild and keeps the other store. */
export function dismissRebuild(): void {
  removeEventListener('beforeunload', warn)
  current = undefined
  JOB.set(undefined)
}

/** @returns false: the copy is not complete */
function stop(why: Partial<RebuildJob>): false {
  update({ phase: 'stopped', ...why })
  return false
}

/** The browser asks before the tab closes. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

class Rebuild {
  readonly #request: RebuildRequest
  readonly #source: StoreClient
  readonly #abort = new AbortController()
  /** The copy, as soon as there is one. */
  #copyId: string | undefined
  /** The source as it was copied, and the ids of its documents. */
  #copied: Extract<DocumentsCopied, { state: 'copied' }> | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(request: RebuildRequest) {
    this.#request = request
    this.#source = request.api.store(request.store.store_id)
    this.#copyId = request.copy?.store_id
  }

  prepare(): Promise<void> {
    return this.#run('copying', async () => {
      if (await this.#fill()) update({ phase: 'ready' })
    })
  }

  /** Copies what was changed since, then swaps. */
  swap(): Promise<void> {
    return this.#run('swapping', async () => {
      const { api, store, onSwapped } = this.#request
      if (!(await this.#fill())) return
      const [copyId, seen] = [this.#copyId!, this.#copied!.source]
      await api.swapStores(store.store_id, copyId)
      const { knownEverywhere } = await import('@aisle/configuration')
      await knownEverywhere()
      const old = await api.describeStore(copyId)
      removeEventListener('beforeunload', warn)
      update({
        phase: 'swapped',
        done: seen.documents,
        isLate: old.last_write_at !== seen.last_write_at,
      })
      onSwapped()
    })
  }

  async discard(): Promise<void> {
    const { api, onStores } = this.#request
    if (JOB.value?.phase === 'copying') {
      update({ phase: 'cancelling' })
      this.#abort.abort()
      await this.#work
    }
    if (this.#copyId !== undefined) {
      await api.deleteStore(this.#copyId).catch((error: { code?: string }) => {
        // Somebody deleted it on the page Stores.
        if (error.code !== 'store_not_found') throw error
      })
    }
    // Before the page shows copies again (`EarlierCopy`): this one is gone.
    await onStores()
    dismissRebuild()
  }

  /** One step at a time; a failure stops the rebuild, and it can be tried again. */
  async #run(phase: RebuildPhase, step: () => Promise<void>): Promise<void> {
    update({ phase, ...NOTHING_FOUND })
    this.#work = step().catch((error: unknown) => {
      if (!this.#abort.signal.aborted) update({ phase: 'stopped', error })
    })
    await this.#work
  }

  /**
   * Gives the copy the configuration and the documents of the store as they are now.
   *
   * @returns whether the copy is complete
   */
  async #fill(): Promise<boolean> {
    const { api, store, fields } = this.#request
    const { copyConfiguration, fetchConfiguration, knownEverywhere } =
      await import('@aisle/configuration')
    const second = api.store((this.#copyId ??= await this.#create()))
    const wanted = { ...(await fetchConfiguration(this.#source)), schema: fields }
    const { conflict, failures } = await copyConfiguration(this.#source, second, wanted)
    if (conflict !== undefined)
      return stop({ reason: `The copy declares ${conflict} differently.` })
    if (failures.length > 0) return stop({ refusals: failures })
    await knownEverywhere()
    const seen = this.#copied?.source
    const now = await api.describeStore(store.store_id)
    if (seen === undefined || seen.last_write_at !== now.last_write_at) {
      if (!(await this.#copyDocuments(second))) return false
    }
    const { documents } = await api.describeStore(this.#copyId)
    const { documents: expected } = this.#copied!.source
    if (documents === expected) return true
    const counts = `${formatCount(documents, 'product')} instead of ${formatNumber(expected)}`
    return stop({ reason: `The copy has ${counts}.` })
  }

  async #create(): Promise<string> {
    const { api, store, onStores } = this.#request
    const { knownEverywhere, secondStoreName } = await import('@aisle/configuration')
    const name = secondStoreName(store.name)
    const taken = (await api.stores()).stores.map(({ store_id: id }) => id)
    const id = proposedStoreId(`${store.store_id}-next`, taken)
    this.#copyId = (await api.createStore({ id, name })).store_id
    update({ copyId: this.#copyId, copyName: name })
    void onStores()
    await knownEverywhere()
    return this.#copyId
  }

  async #copyDocuments(second: StoreClient): Promise<boolean> {
    const { api, store, leftOut } = this.#request
    const { copyDocuments, idsOf } = await import('@aisle/import')
    const { signal } = this.#abort
    const misfits: Misfit[] = []
    let misfitCount = 0
    const copied = await copyDocuments({
      source: this.#source,
      second,
      schema: await second.schema(),
      describe: () => api.describeStore(store.store_id),
      present: this.#copied?.ids ?? (await idsOf(second, signal)),
      mapping: new Map(leftOut.map((name) => [name, ''])),
      signal,
      onProgress: (share, done) => update({ done, total: Math.round(done / share) }),
      onFailed: ({ entry, error }) => {
        misfitCount++
        if (misfits.length === MISFITS_SHOWN_MAX) return
        misfits.push({ id: (entry as { id: string }).id, reason: error })
      },
      onCopied: () => undefined,
    })
    // After an incomplete copy, the next one first reads what the copy has.
    this.#copied = copied.state === 'copied' ? copied : undefined
    switch (copied.state) {
      case 'copied':
        return true
      case 'refused':
        return stop({ misfits, misfitCount, isCutShort: copied.outcome.stuck !== undefined })
      case 'interrupted':
        return false
      case 'changing':
        return stop({ reason: 'The store keeps changing. Stop the writes for a moment.' })
    }
  }
}
