import { ApiError } from '@aisle/contract'
import { newSnapshotName } from '../../domain/store/snapshot-name.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Snapshot, SnapshotKeeper } from '../../ports/snapshot-keeper.ts'
import type { StoreRegistry } from '../../ports/store-registry.ts'

/** Snapshots for tests: it counts, and keeps nothing else. */
export function createMemorySnapshots(registry: StoreRegistry, clock: Clock): SnapshotKeeper {
  const snapshots = new Map<string, Snapshot>()
  let busy = false
  const existing = (name: string): Snapshot => {
    const snapshot = snapshots.get(name)
    if (snapshot !== undefined) return snapshot
    throw new ApiError('snapshot_not_found', 'There is no snapshot of that name', { param: 'name' })
  }
  return {
    async create() {
      if (busy) {
        throw new ApiError('unavailable', 'Another snapshot is being made', {
          retryAfterSeconds: 10,
        })
      }
      busy = true
      await Promise.resolve()
      busy = false
      const counts = await Promise.all(
        registry.list().map(async ({ storeId }) => registry.statistics(storeId)),
      )
      const name = newSnapshotName(clock.now(), (one) => snapshots.has(one))
      const snapshot: Snapshot = {
        name,
        created_at: new Date(clock.now()).toISOString(),
        folder: name,
        format: 1,
        version: '0.0.0',
        stores: counts.length,
        documents: counts.reduce((sum, { docCount }) => sum + docCount, 0),
        bytes: counts.reduce((sum, { documentBytes }) => sum + documentBytes, 0),
        event_bytes: 0,
      }
      snapshots.set(name, snapshot)
      return snapshot
    },
    list: async () => [...snapshots.values()].toReversed(),
    verify: async (name) => existing(name),
    remove: async (name) => {
      snapshots.delete(existing(name).name)
    },
  }
}
