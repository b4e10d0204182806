import type { AisleClient } from '@aisle/client'
import { until } from '@aisle/testing'

const SENDS_MAX = 5
const FINISH_LIMIT_MS = 600_000

/** Sends again what a starved cluster did not answer in time, as a client does. */
export async function patiently(send: () => Promise<void>): Promise<void> {
  for (let sends = 1; ; sends++) {
    try {
      await send()
      return
    } catch (error) {
      if (sends === SENDS_MAX) throw error
      console.error(`sent again: ${(error as Error).message}`)
    }
  }
}

/** Resolves when a bulk load has all its copies, and is visible. */
export async function bulkLoadFinished(admin: AisleClient, storeId: string): Promise<void> {
  const isFinished = async (): Promise<boolean> =>
    (await admin.finishBulkLoad(storeId)).status === 'finished'
  await until('all copies', isFinished, { timeoutMs: FINISH_LIMIT_MS, pauseMs: 100 })
}
