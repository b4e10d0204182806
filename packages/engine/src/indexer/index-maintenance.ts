import { hasBit } from '../codec/bitset.ts'
import { pickMerge } from '../segment/merge-policy.ts'
import type { SavedIndex } from '../storage/index-files.ts'
import type { IndexTask, IndexTaskResult } from './index-task.ts'
import type { IndexWriter, SavedDocuments } from './index-writer.ts'

/** An index is idle after this long without a write. */
const IDLE_MS = 500
/** After this long without a write, and after opening, it is merged into one segment. */
const QUIET_MS = 30_000
/** Minimum interval between saves while documents arrive. */
const SAVE_INTERVAL_MS = 15_000
/** Documents added or removed since the last save that justify a save. */
const UNSAVED_DOCS_MIN = 20_000
/**
 * An idle index up to this size is saved: its files take 10 ms, and a saved index can be closed and
 * needs no save when the service stops.
 */
const SMALL_INDEX_DOCS = 10_000
/** Terms outside the trie during writes: at most this many, or this share of all terms. */
const TRIE_OUTSIDE_MIN = 2048
const TRIE_OUTSIDE_SHARE = 1 / 16
/** The same without writes. */
const TRIE_OUTSIDE_IDLE = 128
/** An index is worn if this many of its strings, and more than half, are unused. */
const UNUSED_STRINGS_MIN = 50_000
/** Unused strings are counted again after this many new ones. */
const NEW_STRINGS_MIN = 20_000

/** How maintenance runs tasks and reports their results. */
export interface MaintenanceOptions {
  /** Performs a task on another thread (`performIndexTask`). */
  readonly run: (task: IndexTask) => Promise<IndexTaskResult>
  /** Folder of the files; absent: the index exists in memory only. */
  readonly folder: string | undefined
  /** Whether the disk has space for the files; if not, they are written later. Absent: it has. */
  readonly mayWrite?: (index: SavedIndex) => boolean
  /** The index changed without a write and must be published again. */
  readonly onChange: () => void
  /**
   * Most strings of the dictionaries are unused, and only rebuilding the index removes them. Called
   * repeatedly while this is so.
   */
  readonly onWorn?: () => void
  /** Instead of `QUIET_MS`, for tests. */
  readonly quietMs?: number
  /** A task failed. The index is unchanged. */
  readonly onError: (error: unknown) => void
}

/**
 * Background work of one index: merges, the trie, saving. One task runs at a time; after each, the
 * most useful next task is chosen.
 */
export class IndexMaintenance {
  readonly #writer: IndexWriter
  readonly #options: MaintenanceOptions
  #running: Promise<void> | undefined
  #closed = false
  #idleTimer: NodeJS.Timeout | undefined
  #quietTimer: NodeJS.Timeout | undefined
  #saveTimer: NodeJS.Timeout | undefined
  #lastWriteMs = -Infinity
  readonly #openedMs = performance.now()
  readonly #quietMs: number
  #lastSaveMs = -Infinity
  /** The documents that the files on disk contain as live, by segment id. */
  #saved: ReadonlyMap<number, SavedDocuments>
  /** The same for the save in progress. */
  #saving: ReadonlyMap<number, SavedDocuments> | undefined
  #dirty = false
  #countedStrings = 0

  constructor(writer: IndexWriter, options: MaintenanceOptions) {
    this.#writer = writer
    this.#options = options
    this.#quietMs = options.quietMs ?? QUIET_MS
    this.#saved = writer.savedDocuments()
  }

  /** Call once after opening files: starts the work that a write would trigger. */
  afterOpen(): void {
    this.#pump()
    this.#awaitQuiet()
  }

  /** Call after each write. */
  afterWrite(): void {
    this.#lastWriteMs = performance.now()
    this.#dirty = true
    this.#pump()
    clearTimeout(this.#idleTimer)
    if (this.#closed) return
    this.#idleTimer = setTimeout(() => this.#pump(), IDLE_MS + 10).unref()
    this.#awaitQuiet()
  }

  /** One timer for all writes until it ends. */
  #awaitQuiet(): void {
    this.#quietTimer ??= setTimeout(() => {
      this.#quietTimer = undefined
      if (this.#isQuiet) this.#pump()
      else this.#awaitQuiet()
    }, this.#quietMs).unref()
  }

  /**
   * Whether a file contains this document as live. If the document is deleted, its tombstone must
   * stay until the files change.
   */
  holds(docKey: number): boolean {
    for (const segments of [this.#saved, this.#saving]) {
      for (const { reader, live } of segments?.values() ?? []) {
        const docOrd = reader.docOrdOf(docKey)
        if (docOrd >= 0 && (live === undefined || hasBit(new Uint32Array(live), docOrd)))
          return true
      }
    }
    return false
  }

  /** Whether the files contain everything, no task runs, and the last write is not recent. */
  get isAtRest(): boolean {
    return this.#running === undefined && !this.#dirty && this.#isIdle
  }

  get #isIdle(): boolean {
    return performance.now() - this.#lastWriteMs >= IDLE_MS
  }

  get #isQuiet(): boolean {
    return performance.now() - Math.max(this.#lastWriteMs, this.#openedMs) >= this.#quietMs
  }

  /** Waits for running tasks, saves one last time, and stops. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#quietTimer)
    clearTimeout(this.#idleTimer)
    clearTimeout(this.#saveTimer)
    await this.#running
    if (this.#dirty && this.#options.folder !== undefined)
      await this.#save().catch(this.#options.onError)
  }

  #pump(): void {
    if (this.#running !== undefined || this.#closed) return
    const work = this.#next()
    if (work === undefined) return
    this.#running = work()
      .then(
        () => true,
        (error: unknown) => {
          this.#options.onError(error)
          return false
        },
      )
      .then((succeeded) => {
        this.#running = undefined
        if (!succeeded) return
        this.#reviewStrings()
        this.#pump()
      })
  }

  #next(): (() => Promise<void>) | undefined {
    const idle = this.#isIdle
    const run = pickMerge(this.#writer.segments, idle, this.#isQuiet)
    if (run !== undefined) return () => this.#merge(run)
    const { outsideTrie, all } = this.#writer.termCounts
    const outsideMax = idle
      ? TRIE_OUTSIDE_IDLE
      : Math.max(TRIE_OUTSIDE_MIN, all * TRIE_OUTSIDE_SHARE)
    if (outsideTrie > outsideMax) return () => this.#buildTrie()
    return this.#isSaveDue(idle) ? () => this.#save() : undefined
  }

  #reviewStrings(): void {
    const all = this.#writer.stringCount
    if (this.#closed || all < this.#countedStrings + NEW_STRINGS_MIN) return
    this.#countedStrings = all
    const used = this.#writer.usedStringCount()
    if (all - used > Math.max(UNUSED_STRINGS_MIN, used)) {
      this.#countedStrings = 0
      this.#options.onWorn?.()
    }
  }

  async #merge(run: { readonly from: number; readonly to: number }): Promise<void> {
    const ids = this.#writer.segments.slice(run.from, run.to).map(({ id }) => id)
    const merged = await this.#options.run(this.#writer.mergeTask(run))
    // If all documents of a source were deleted meanwhile, the source is gone, and the merge starts
    // over.
    const now = new Set(this.#writer.segments.map(({ id }) => id))
    if (!ids.every((id) => now.has(id))) return
    this.#writer.replace(ids, merged!)
    this.#dirty = true
    this.#options.onChange()
  }

  async #buildTrie(): Promise<void> {
    const { all } = this.#writer.termCounts
    const trie = await this.#options.run(this.#writer.trieTask())
    this.#writer.setTrie(trie!, all)
    this.#options.onChange()
  }

  #isSaveDue(idle: boolean): boolean {
    if (!this.#dirty || this.#options.folder === undefined) return false
    let came = 0
    let died = -this.#writer.docCount
    for (const { id, liveCount } of this.#writer.segments) {
      if (!this.#saved.has(id)) came += liveCount
    }
    for (const { liveCount } of this.#saved.values()) died += liveCount
    const isSmall = idle && this.#writer.docCount <= SMALL_INDEX_DOCS
    if (!isSmall && Math.max(came, died) < UNSAVED_DOCS_MIN) return false
    const waitMs = this.#lastSaveMs + SAVE_INTERVAL_MS - performance.now()
    // Saves even without a further write, because until then merged segments that the files name
    // stay in memory.
    if (waitMs <= 0) return true
    this.#saveTimer ??= setTimeout(() => {
      this.#saveTimer = undefined
      this.#pump()
    }, waitMs + 10).unref()
    return false
  }

  async #save(): Promise<void> {
    const index = this.#writer.saved()
    if (this.#options.mayWrite?.(index) === false) {
      this.#lastSaveMs = performance.now()
      return
    }
    this.#saving = this.#writer.savedDocuments()
    this.#dirty = false
    this.#lastSaveMs = performance.now()
    try {
      await this.#options.run({ kind: 'save', folder: this.#options.folder!, index })
      this.#saved = this.#saving
    } catch (error) {
      // Either the old or the new files may be in force, so both count as saved until a save
      // succeeds. Documents of a segment only ever get deleted, so the older of two states covers
      // both.
      this.#dirty = true
      this.#saved = new Map([...this.#saving, ...this.#saved])
      throw error
    } finally {
      this.#saving = undefined
    }
  }
}
