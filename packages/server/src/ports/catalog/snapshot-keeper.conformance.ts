import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SnapshotKeeper } from './snapshot-keeper.ts'

/**
 * Tests for every SnapshotKeeper. @param create creates one over data of one store with three
 * documents
 */
export function snapshotKeeperConformance(
  name: string,
  create: () => Promise<SnapshotKeeper & AsyncDisposable>,
): void {
  suite(`${name} keeps snapshots`, () => {
    test('a snapshot is created, listed, verified and removed', async () => {
      await using keeper = await create()
      assert.deepEqual(await keeper.list(), [])
      const made = await keeper.create()
      assert.deepEqual([made.stores, made.documents], [1, 3])
      assert.match(made.name, /^snapshot-\d{8}T\d{6}Z(-\d+)?$/)
      assert.deepEqual(await keeper.list(), [made])
      assert.deepEqual(await keeper.verify(made.name), made)
      await keeper.remove(made.name)
      assert.deepEqual(await keeper.list(), [])
    })

    test('the newest is first, and names are unique', async () => {
      await using keeper = await create()
      const names = [await keeper.create(), await keeper.create(), await keeper.create()]
      assert.deepEqual(
        (await keeper.list()).map(({ name: one }) => one),
        names.map(({ name: one }) => one).toReversed(),
      )
      assert.equal(new Set(names.map(({ name: one }) => one)).size, 3)
    })

    test('one snapshot is created at a time', async () => {
      await using keeper = await create()
      const [first, second] = await Promise.allSettled([keeper.create(), keeper.create()])
      assert.equal(first.status, 'fulfilled')
      assert.equal(second.status === 'rejected' && second.reason.code, 'unavailable')
    })

    test('an unknown name is rejected, and so is one that leads to another folder', async () => {
      await using keeper = await create()
      for (const wrong of ['snapshot-20260101T000000Z', '..', '', 'a/b', '../lmdb']) {
        await assert.rejects(keeper.verify(wrong), { code: 'snapshot_not_found' })
        await assert.rejects(keeper.remove(wrong), { code: 'snapshot_not_found' })
      }
    })
  })
}
