import { RefusedError } from '@aisle/client'
import type { AisleClient, StoreClient, StoreSummary } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { knownEverywhere } from './known-everywhere.ts'

/** What to do when the second store is there already. */
export type Earlier = 'refuse' | 'resume' | 'restart'

export interface SecondStore {
  readonly store: StoreClient
  /** It was there, with what an earlier run has brought. */
  readonly isResumed: boolean
}

/** Of the name of a store that `reindex` has made: no other one is continued, or deleted. */
const SUFFIX = ' (reindex)'
const NAME_MAX_CHARS = 200

/**
 * Makes the store that the documents are copied to, or goes on with that of an earlier run.
 *
 * @param storeOf the store of an id, opened with its write secret
 * @throws CommandError when it is there and may not be touched
 */
export async function openSecondStore(
  admin: AisleClient,
  storeOf: (storeId: string, writeSecret: string) => StoreClient,
  of: { readonly source: StoreSummary; readonly id: string; readonly earlier: Earlier },
): Promise<SecondStore> {
  const { source, id, earlier } = of
  const found = await find(admin, id)
  if (found !== undefined) {
    if (!found.name.endsWith(SUFFIX)) {
      throw new CommandError(
        'usage',
        `Store "${id}" is none that reindex has made (it is named ${printable(found.name)}): name another one with --into`,
      )
    }
    if (earlier === 'refuse') {
      throw new CommandError(
        'usage',
        `Store "${id}" is there from an earlier reindex: --resume goes on with it, --restart deletes it and begins anew`,
      )
    }
    if (earlier === 'resume') {
      // The secret of the first run was shown to nobody.
      const { secret } = await admin.rotateKey(id, 'write', { grace_seconds: 0 })
      return { store: storeOf(id, secret), isResumed: true }
    }
    await admin.deleteStore(id)
    await knownEverywhere()
  } else if (earlier === 'resume') {
    throw new CommandError('usage', `There is no store "${id}" to go on with: leave --resume out`)
  }
  const name = `${source.name.slice(0, NAME_MAX_CHARS - SUFFIX.length)}${SUFFIX}`
  const made = await admin.createStore({ id, name })
  return { store: storeOf(id, made.write_secret), isResumed: false }
}

async function find(admin: AisleClient, id: string): Promise<StoreSummary | undefined> {
  try {
    return await admin.describeStore(id)
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'store_not_found') return undefined
    throw error
  }
}
