import { hasBit } from '../codec/bitset.ts'
import { pickMerge } from '../segment/merge-policy.ts'
import type { SavedIndex } from '../storage/index-files.ts'
import type { IndexTask, IndexTaskResult } from './index-task.ts'
import type { IndexWriter, SavedDocuments } from './index-writer.ts'

/** An index is tidied after this long without a write. */
const IDLE_MS = 500
/** Minimum interval between saves while documents arrive. */
const SAVE_INTERVAL_MS = 15_000
/** Documents added or removed since the last save that make a save worthwhile. */
const UNSAVED_DOCS_MIN = 20_000
/**
 * An index of so few documents is saved whenever nothing is written: its files take 10 ms, and one
 * that is saved can be closed, and need not be saved when the service stops.
 */
const SMALL_INDEX_DOCS = 10_000
/** Terms outside the trie while writes go on: at most this many, or this share of all terms. */
const TRIE_OUTSIDE_MIN = 2048
const TRIE_OUTSIDE_SHARE = 1 / 16
/** The same when there are no writes. */
const TRIE_OUTSIDE_IDLE = 128
/** An index is worn if this many strings, and more than half of all, belong to no document. */
const UNUSED_STRINGS_MIN = 50_000
/** Unused strings are counted again after this many new ones. */
const NEW_STRINGS_MIN = 20_000

export interface MaintenanceOptions {
  /** Performs a task on another thread (`performIndexTask`). */
  readonly run: (task: IndexTask) => Promise<IndexTaskResult>
  /** Folder of the files; absent: the index exists in memory only. */
  readonly folder: string | undefined
  /** Whether the disk has room for the files; if not, they are written later. Absent: it has. */
  readonly mayWrite?: (index: SavedIndex) => boolean
  /** The index changed without a write: publish it again. */
  readonly onChange: () => void
  /**
   * Most strings of the dictionaries belong to no document any more, and only rebuilding the index
   * removes them. Called repeatedly while this holds.
   */
  readonly onWorn?: () => void
  /** A task failed. The index is unchanged. */
  readonly onError: (error: unknown) => void
}

/**
 * Background work of one index: merges, the trie, saving. One task runs at a time; after each, the
 * index is examined again and the most useful task is next.
 */
export class IndexMaintenance {
  readonly #writer: IndexWriter
  readonly #options: MaintenanceOptions
  #running: Promise<void> | undefined
  #closed = false
  #idleTimer: NodeJS.Timeout | undefined
  #saveTimer: NodeJS.Timeout | undefined
  #lastWriteMs = -Infinity
  #lastSaveMs = -Infinity
  /** The documents that the files on disk hold as live, by segment id. */
  #saved: ReadonlyMap<number, SavedDocuments>
  /** The same for the save in progress. */
  #saving: ReadonlyMap<number, SavedDocuments> | undefined
  #dirty = false
  #countedStrings = 0

  constructor(writer: IndexWriter, options: MaintenanceOptions) {
    this.#writer = writer
    this.#options = options
    this.#saved = writer.savedDocuments()
  }

  /** Call once after opening files: starts the work that a write would trigger. */
  afterOpen(): void {
    this.#pump()
  }

  /** Call after each write. */
  afterWrite(): void {
    this.#lastWriteMs = performance.now()
    this.#dirty = true
    this.#pump()
    clearTimeout(this.#idleTimer)
    if (!this.#closed) this.#idleTimer = setTimeout(() => this.#pump(), IDLE_MS + 10).unref()
  }

  /**
   * Whether a file holds this document as live. If the document is dead, its tombstone must stay
   * until the files change.
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

  /** The files hold everything, no work is under way, and nothing was written a moment ago. */
  get isAtRest(): boolean {
    return this.#running === undefined && !this.#dirty && this.#isIdle
  }

  get #isIdle(): boolean {
    return performance.now() - this.#lastWriteMs >= IDLE_MS
  }

  /** Waits for running tasks, saves one last time, and stops. */
  async close(): Promise<void> {
    this.#closed = true
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
    const run = pickMerge(this.#writer.segments, idle)
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
    // If all documents of a source died meanwhile, the source is gone, and the merge starts over.
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
    // Saves even without a further write; until then, merged segments that the files name stay in
    // memory.
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
      // Either the old or the new files may be in force, so both count as held until a save
      // succeeds. Documents of a segment only ever die, so the older of two states covers both.
      this.#dirty = true
      this.#saved = new Map([...this.#saving, ...this.#saved])
      throw error
    } finally {
      this.#saving = undefined
    }
  }
}
