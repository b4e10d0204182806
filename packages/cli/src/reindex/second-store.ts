import { RefusedError, type AisleClient, type StoreClient, type StoreSummary } from '@aisle/client'
import { isSecondStoreName, knownEverywhere, secondStoreName } from '@aisle/configuration'
import type { Run } from '../commands/command.ts'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'

/** The action if the second store already exists. */
export type Earlier = 'refuse' | 'resume' | 'restart'

export interface SecondStore {
  readonly store: StoreClient
  /** Whether it existed, with the documents of an earlier run. */
  readonly isResumed: boolean
}

/**
 * Creates the store that documents are copied to, or continues with that of an earlier run.
 *
 * @throws CommandError if it exists and may not be used
 */
export async function openSecondStore(
  run: Run,
  admin: AisleClient,
  of: {
    readonly source: StoreSummary
    readonly id: string
    readonly earlier: Earlier
    /** Bytes of the documents that are loaded at once; absent: it is filled as usual. */
    readonly bulkLoadBytes?: number | undefined
  },
): Promise<SecondStore> {
  const { source, id, earlier, bulkLoadBytes } = of
  const found = await find(admin, id)
  if (found !== undefined) {
    if (!isSecondStoreName(found.name)) {
      throw new CommandError(
        'usage',
        `Store "${id}" was not created by reindex or a bulk import (its name is ${printable(found.name)}): choose another id with --into`,
      )
    }
    if (earlier === 'refuse') {
      throw new CommandError(
        'usage',
        `Store "${id}" exists from an earlier run: --resume continues with it, --restart deletes it and starts over`,
      )
    }
    if (earlier === 'resume') {
      // Nobody has seen the secret of the first run, so it is rotated.
      const { secret } = await admin.rotateKey(id, 'write', { grace_seconds: 0 })
      return { store: run.storeOf(id, secret), isResumed: true }
    }
    await admin.deleteStore(id)
    await knownEverywhere(run.context)
  } else if (earlier === 'resume') {
    throw new CommandError(
      'usage',
      `Store "${id}" does not exist, so there is nothing to resume: omit --resume`,
    )
  }
  const made = await admin.createStore({
    id,
    name: secondStoreName(source.name),
    ...(bulkLoadBytes === undefined ? {} : { bulk_load: { document_bytes: bulkLoadBytes } }),
  })
  return { store: run.storeOf(id, made.write_secret), isResumed: false }
}

async function find(admin: AisleClient, id: string): Promise<StoreSummary | undefined> {
  try {
    return await admin.describeStore(id)
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'store_not_found') return undefined
    throw error
  }
}
