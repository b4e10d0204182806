import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { QUARANTINE_SECONDS, type BackgroundJob } from '@aisle/contract'
import { bytesToSave, IndexMaintenance, IndexWriter, openIndex } from '@aisle/engine'
import type { IndexTask, IndexTaskResult, Schema } from '@aisle/engine'
import { TurnQueue } from '../../domain/turns/turn-queue.ts'
import type { Job } from '../../ports/host/activity-keeper.ts'
import { BackgroundWorker, ThreadEndedError, WorkerClosedError } from './background-worker.ts'
import type { IndexHost, IndexListener, StoreIndex } from './engine-port.ts'
import { SharedGarbage } from './shared-garbage.ts'

/** The disk that index files are on. */
export interface IndexDisk {
  /** Bytes that the index files may take. */
  readonly roomBytes: () => number
  /** Called when files do not fit; they are requested again later. */
  readonly onPostponed: (detail: { readonly index: number; readonly bytes: number }) => void
}

/** Reports that background work on an index is waiting for its turn. */
export type AddIndexJob = (kind: BackgroundJob['kind'], index: number) => Job

/** A thread for background work. */
export type IndexWorker = Pick<BackgroundWorker, 'run' | 'close'>

const TASK_JOBS = {
  merge: 'merge',
  trie: 'dictionary',
  save: 'index_files',
} as const satisfies Record<IndexTask['kind'], BackgroundJob['kind']>

/** The index continues unchanged, with more segments and older files. */
class SetAsideError extends Error {
  override readonly name = 'SetAsideError'

  constructor() {
    super('Background work on this index is suspended')
  }
}

/**
 * Holds the indexes of all stores, each in a folder named by its number, and one thread for
 * background work.
 */
class FileIndexHost implements IndexHost {
  readonly #folder: string
  readonly #worker: IndexWorker
  /**
   * Runs one job at a time, for each index in turn, because an index with constant writes always
   * has more jobs.
   */
  readonly #turns = new TurnQueue({ lanes: 1, perKey: 1 })
  readonly #garbage = new SharedGarbage()
  /** End of the quarantine by index, in the time of `performance.now()`. */
  readonly #setAside = new Map<number, number>()

  readonly #disk: IndexDisk | undefined
  readonly #addJob: AddIndexJob

  constructor(
    folder: string,
    worker: IndexWorker,
    disk: IndexDisk | undefined,
    addJob: AddIndexJob,
  ) {
    this.#addJob = addJob
    this.#folder = folder
    this.#worker = worker
    this.#disk = disk
  }

  /**
   * Throws CorruptDataError and similar errors if the files are damaged: `remove` them and open
   * again.
   */
  async open(
    index: number,
    schema: Schema,
    language: string,
    { onChange, onWorn }: IndexListener,
  ): Promise<StoreIndex> {
    const folder = this.#pathOf(index)
    const writer = new IndexWriter(schema, language, await openIndex(folder, schema, language))
    let fileBytes = bytesIn(folder)
    // Segments are used as read; dictionaries have been copied into memory that can grow.
    const segments = writer.segments.reduce((bytes, { buffer }) => bytes + buffer.byteLength, 0)
    this.#garbage.passed(Math.max(0, fileBytes - segments))
    const maintenance = new IndexMaintenance(writer, {
      run: async (task: IndexTask) => {
        const job = this.#addJob(TASK_JOBS[task.kind], index)
        const result = await this.#turns
          .run(String(index), () => {
            job.started()
            return this.#run(index, task)
          })
          .finally(() => job.ended())
        if (task.kind === 'save') {
          fileBytes = bytesIn(folder)
          onChange()
        }
        return result
      },
      folder,
      mayWrite: (saved) => {
        const bytes = this.#disk === undefined ? 0 : bytesToSave(folder, saved)
        const isRoom = bytes <= (this.#disk?.roomBytes() ?? 0)
        if (!isRoom) this.#disk?.onPostponed({ index, bytes })
        return isRoom
      },
      onChange,
      onWorn,
      onError: (error) => {
        // The process is ending: the next one finds the files of the last save, and the documents.
        if (error instanceof WorkerClosedError || error instanceof SetAsideError) return
        process.emitWarning(error instanceof Error ? error : String(error))
      },
    })
    const covered = writer.coveredRanges
    maintenance.afterOpen()
    return {
      covered,
      get docCount() {
        return writer.docCount
      },
      vectorCount: (space) => writer.vectorCount(space),
      apply: (batch) => {
        writer.apply(batch)
        maintenance.afterWrite()
      },
      *applySteps(batch) {
        yield* writer.applySteps(batch)
        maintenance.afterWrite()
      },
      setSchema: (newer) => writer.setSchema(newer),
      snapshot: () => writer.snapshot(),
      statistics: () => ({
        indexBytes: writer.bytes,
        segmentCount: writer.segments.length,
        fileBytes,
      }),
      holds: (docKey) => maintenance.holds(docKey),
      get isAtRest() {
        return maintenance.isAtRest
      },
      close: async () => {
        await maintenance.close()
        this.#garbage.passed(writer.bytes)
      },
    }
  }

  /**
   * Suspends background work on an index that ended the thread at every attempt; other indexes
   * continue.
   */
  async #run(index: number, task: IndexTask): Promise<IndexTaskResult> {
    if (performance.now() < (this.#setAside.get(index) ?? 0)) throw new SetAsideError()
    this.#setAside.delete(index)
    const result = await this.#worker.run<IndexTaskResult>(task).catch((error: unknown) => {
      if (!(error instanceof ThreadEndedError)) throw error
      this.#setAside.set(index, performance.now() + QUARANTINE_SECONDS * 1_000)
      throw new Error(
        `Background work (${task.kind}) on index ${index} crashed its thread and is suspended for ${QUARANTINE_SECONDS} s`,
        { cause: error },
      )
    })
    this.#garbage.passed(result?.byteLength ?? 0)
    return result
  }

  remove(index: number): Promise<void> {
    this.#setAside.delete(index)
    rmSync(this.#pathOf(index), { recursive: true, force: true })
    return Promise.resolve()
  }

  numbers(): number[] {
    return readdirSync(this.#folder)
      .map(Number)
      .filter((index) => Number.isInteger(index))
  }

  fileBytes(index: number): number {
    return bytesIn(this.#pathOf(index))
  }

  close(): Promise<void> {
    return this.#worker.close()
  }

  /** Named by a number of ours, never by anything a user chose. */
  #pathOf(index: number): string {
    return join(this.#folder, String(index))
  }
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0
  const sizes = readdirSync(folder).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * @param folder is created if missing; all files in it can be rebuilt from the documents
 * @param indexThread the background thread: its entry file, or a running one; closed with the host
 * @param disk absent: unlimited
 */
export function createIndexHost(
  folder: string,
  indexThread: URL | IndexWorker,
  disk?: IndexDisk,
  addJob: AddIndexJob = () => ({ started: () => undefined, ended: () => undefined }),
): Promise<IndexHost & { close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true })
  const worker = indexThread instanceof URL ? new BackgroundWorker(indexThread) : indexThread
  return Promise.resolve(new FileIndexHost(folder, worker, disk, addJob))
}
