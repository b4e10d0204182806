import { setTimeout as wait } from 'node:timers/promises'
import type { AisleClient, StoreClient, StoreSummary } from '@aisle/client'
import { knownEverywhere } from '@aisle/configuration'
import type { Run } from '../commands/command.ts'
import { commandName } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { configure } from '../reindex/next-configuration.ts'
import { openSecondStore, type Earlier } from '../reindex/second-store.ts'
import { count, counted } from '../terminal/table.ts'

export interface BulkOptions {
  /** Id of the store whose documents are replaced. */
  readonly storeId: string
  /** Bytes of the input; NaN if unknown. */
  readonly bytes: number
  readonly earlier: Earlier
  readonly deleteOld: boolean
}

/** Time between two questions whether all copies are complete. */
const PAUSE_MS = 1_000

/**
 * Replaces all documents of a store at once: loads a second store while the first one serves, and
 * swaps them when every document has all its copies.
 */
export class BulkImport {
  readonly #run: Run
  readonly #admin: AisleClient
  readonly #options: BulkOptions
  readonly #before: StoreSummary
  /** The store that is loaded. */
  readonly second: StoreClient
  readonly secondId: string

  private constructor(
    run: Run,
    admin: AisleClient,
    options: BulkOptions,
    opened: { readonly before: StoreSummary; readonly second: StoreClient; readonly id: string },
  ) {
    this.#run = run
    this.#admin = admin
    this.#options = options
    this.#before = opened.before
    this.second = opened.second
    this.secondId = opened.id
  }

  /** The id of the store that is loaded for another one. */
  static secondId(storeId: string): string {
    return `${storeId}-next`
  }

  /** Creates the second store with the configuration of the first one, or continues with it. */
  static async open(run: Run, options: BulkOptions): Promise<BulkImport> {
    const { storeId, bytes, earlier } = options
    const admin = await run.admin()
    const source = await run.store('write')
    const before = await admin.describeStore(storeId)
    const id = BulkImport.secondId(storeId)
    const bulkLoadBytes = Number.isNaN(bytes) ? undefined : Math.max(1, bytes)
    const { store, isResumed } = await openSecondStore(run, admin, {
      source: before,
      id,
      earlier,
      bulkLoadBytes,
    })
    await knownEverywhere(run.context)
    if (!isResumed) {
      await configure(source, store, NO_CHANGES, (text) => run.note(text))
      await knownEverywhere(run.context)
    }
    return new BulkImport(run, admin, options, { before, second: store, id })
  }

  /** Waits until every document has all its copies. */
  async finish(): Promise<void> {
    for (;;) {
      const { status } = await this.#admin.finishBulkLoad(this.secondId)
      if (status === 'finished') return
      await wait(PAUSE_MS)
    }
  }

  /** @returns the result, and a line that says it */
  async swap(): Promise<{ readonly result: object; readonly text: string }> {
    const { storeId, deleteOld } = this.#options
    const { documents } = await this.#admin.describeStore(this.secondId)
    await this.#admin.swapStores(storeId, this.secondId)
    await knownEverywhere(this.#run.context)
    const old = await this.#admin.describeStore(this.secondId)
    const isLate = old.last_write_at !== this.#before.last_write_at
    const isDeleted = deleteOld && !isLate
    if (isDeleted) await this.#admin.deleteStore(this.secondId)
    const has = counted(documents, 'document')
    const swap = `${commandName(this.#run.context)} store swap ${storeId} ${this.secondId}`
    if (isLate) {
      throw new CommandError(
        'incomplete',
        `Store "${storeId}" now has ${has}, but others wrote to it during the import: those writes are in store "${this.secondId}". Send them again, or undo: ${swap}`,
      )
    }
    return {
      result: { documents, documents_before: this.#before.documents, deleted: isDeleted },
      text: `Store "${storeId}" now has ${has} (before: ${count(this.#before.documents)}).\n${
        isDeleted
          ? ''
          : `The previous documents are in store "${this.secondId}". To undo: ${swap}\n`
      }`,
    }
  }
}

const NO_CHANGES = { folder: undefined, fields: undefined, settings: {} }
