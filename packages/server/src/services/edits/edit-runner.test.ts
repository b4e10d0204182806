import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import { memoryFolder, until } from '@aisle/testing'
import {
  openEmbeddedCatalog,
  type EmbeddedCatalog,
} from '../../adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { servicePortsOver } from '../service-ports-for-test.ts'
import type { ServicePorts } from '../service-ports.ts'
import { beginEdit, beginUndo, cancelEdit, findEdit } from './edit-documents.ts'
import { EDIT_RECORDS, isOver, type EditRecord } from './edit-record.ts'
import { editRunner } from './edit-runner.ts'
import { sweepEdits } from './sweep-edits.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }
const COUNT = 450
const ADD = { q: '*', edit: { add: { stock: 1 } } }

async function shop(
  folder?: string,
): Promise<ServicePorts & AsyncDisposable & Pick<EmbeddedCatalog, 'kill'>> {
  const catalog = await openEmbeddedCatalog(folder, { clock })
  await catalog.writer.createStore({ name: 'Shop', id: 'shop' })
  const fields = checkSchemaFields([{ name: 'stock', type: 'int32', facet: true }])
  await catalog.writer.changeSchema('shop', 'additive', fields)
  const documents = Array.from({ length: COUNT }, (_, i) => ({
    id: `p${i}`,
    action: 'upsert' as const,
    json: Buffer.from(`{"stock":${i}}`),
  }))
  await catalog.writer.writeDocuments('shop', documents)
  return { ...servicePortsOver(catalog, clock), ...catalog }
}

/** Ports that break at the n-th durable change: before it is made, or after that. */
function breaking(ports: ServicePorts, at: number, isAfter: boolean): ServicePorts {
  let calls = 0
  const guarded = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get: (one, name) => {
        const method = Reflect.get(one, name) as (...given: unknown[]) => Promise<unknown>
        if (!names.includes(String(name))) return method
        return async (...given: unknown[]) => {
          const isBroken = calls++ >= at
          if (isBroken && !(isAfter && calls - 1 === at)) throw broken()
          const result = await method.apply(one, given)
          if (isBroken) throw broken()
          return result
        }
      },
    })
  return {
    ...ports,
    edits: guarded(ports.edits, ['put', 'putPart']),
    writer: guarded(ports.writer, ['changeVersions', 'writeDocuments']),
  }
}

const broken = (): ApiError => new ApiError('unavailable', 'Interrupted')

async function stocks({ reader }: ServicePorts): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = []
  for (let i = 0; i < COUNT; i++) {
    const document = await reader.get('shop', `p${i}`)
    found.push(document && JSON.parse(Buffer.from(document.json).toString()).stock)
  }
  return found
}

async function finished(ports: ServicePorts, { id }: EditRecord): Promise<EditRecord> {
  const runner = editRunner(ports, { takeoverMs: 0 })
  const record = await until('the edit is over', async () => {
    await runner.poll()
    const current = await findEdit(ports, 'shop', id)
    return isOver(current) && current
  })
  await runner.stop()
  return record
}

/** Lets a runner work until it breaks, and another one finish. */
async function interrupted(
  ports: ServicePorts,
  record: EditRecord,
  at: number,
  isAfter: boolean,
): Promise<EditRecord> {
  const first = editRunner(breaking(ports, at, isAfter))
  await first.poll().catch(() => undefined)
  await first.idle()
  return finished(ports, record)
}

suite('the runner of edits', () => {
  test('an edit and its undo change each document once, wherever they are interrupted', async () => {
    for (const isAfter of [false, true]) {
      for (let at = isAfter ? 1 : 0; at < 16; at += 2) {
        await using ports = await shop()
        const before = await stocks(ports)
        const edit = await beginEdit(ports, 'shop', ADD, undefined)
        const done = await interrupted(ports, edit, at, isAfter)
        const where = `broken ${isAfter ? 'after' : 'before'} change ${at}`
        assert.deepEqual([done.state, done.tally.changed], ['done', COUNT], where)
        assert.deepEqual(
          await stocks(ports),
          before.map((stock) => stock! + 1),
          where,
        )
        const undo = await beginUndo(ports, 'shop', edit.id, undefined)
        const undone = await interrupted(ports, undo, at, isAfter)
        assert.deepEqual([undone.state, undone.tally.changed], ['done', COUNT], where)
        assert.deepEqual(await stocks(ports), before, where)
      }
    }
  })

  test('a deletion and its undo survive interruptions too', async () => {
    for (let at = 0; at < 12; at += 2) {
      await using ports = await shop()
      const before = await stocks(ports)
      const request = { filter_by: 'stock:<300', edit: { delete: true } }
      const edit = await beginEdit(ports, 'shop', request, undefined)
      assert.equal((await interrupted(ports, edit, at, true)).tally.changed, 300)
      const undo = await beginUndo(ports, 'shop', edit.id, undefined)
      assert.equal((await interrupted(ports, undo, at, true)).tally.changed, 300)
      assert.deepEqual(await stocks(ports), before)
    }
  })

  test('a cancelled edit ends before its next part, and what it did can be undone', async () => {
    await using ports = await shop()
    const before = await stocks(ports)
    const edit = await beginEdit(ports, 'shop', ADD, undefined)
    // Its targets, and a part of the documents.
    const first = editRunner(breaking(ports, 9, false))
    await first.poll().catch(() => undefined)
    await first.idle()
    await cancelEdit(ports, 'shop', edit.id)
    const cancelled = await finished(ports, edit)
    assert.equal(cancelled.state, 'cancelled')
    assert.ok(cancelled.tally.changed > 0 && cancelled.tally.changed < COUNT)
    const undo = await beginUndo(ports, 'shop', edit.id, undefined)
    assert.equal((await finished(ports, undo)).tally.changed, cancelled.tally.changed)
    assert.deepEqual(await stocks(ports), before)
  })

  test('former values beyond the limit are dropped, those of the oldest edit first', async () => {
    await using ports = await shop()
    const run = async (historyMaxBytes: number) => {
      const edit = await beginEdit(ports, 'shop', ADD, undefined)
      const runner = editRunner(ports, { historyMaxBytes })
      await runner.poll()
      const record = await until('the edit is over', async () => {
        const current = await findEdit(ports, 'shop', edit.id)
        return isOver(current) && current
      })
      await runner.stop()
      return record
    }
    const first = await run(1e9)
    assert.equal(first.history, 'kept')
    const second = await run(first.historyBytes + 1_000)
    assert.equal(second.history, 'kept')
    assert.equal((await findEdit(ports, 'shop', first.id)).history, 'dropped')
    assert.equal(await ports.edits.part(first.id, 0), undefined)
    const third = await run(10)
    assert.deepEqual([third.history, third.tally.changed], ['dropped', COUNT])
    await assert.rejects(beginUndo(ports, 'shop', third.id, undefined), {
      code: 'edit_not_undoable',
    })
  })

  test('documents that others write meanwhile are skipped and listed', async () => {
    await using ports = await shop()
    const edit = await beginEdit(ports, 'shop', ADD, undefined)
    let isWritten = false
    const writer = new Proxy(ports.writer, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>
        if (name !== 'changeVersions') return method
        return async (...given: unknown[]) => {
          if (!isWritten) {
            isWritten = true
            const json = Buffer.from('{"stock":-1}')
            await target.writeDocuments('shop', [{ id: 'p7', action: 'upsert', json }])
          }
          return method.apply(target, given)
        }
      },
    })
    const record = await finished({ ...ports, writer }, edit)
    assert.deepEqual([record.tally.skipped, record.tally.skippedIds], [1, ['p7']])
    assert.equal((await stocks(ports))[7], -1)
  })

  // Goal: a product that gets its vector during an edit is edited. Method: before every other call
  // that changes documents, all of them get a new version with the same JSON, as embedding makes.
  test('documents that only get a new version meanwhile are edited, and undone', async () => {
    await using ports = await shop()
    const before = await stocks(ports)
    const renewed = async (): Promise<void> => {
      const all = before.map((_, i) => i)
      const documents = await Promise.all(all.map(async (i) => ports.reader.get('shop', `p${i}`)))
      const writes = documents.map((one) => ({
        id: one!.id,
        action: 'upsert' as const,
        json: Buffer.from(one!.json),
      }))
      await ports.writer.writeDocuments('shop', writes)
    }
    let renewals = 0
    const renewing = <T extends object>(target: T, name: string): T =>
      new Proxy(target, {
        get: (one, called) => {
          const method = Reflect.get(one, called) as (...given: unknown[]) => Promise<unknown>
          if (called !== name) return method
          return async (...given: unknown[]) => {
            // Every other time: a document gets its vector once.
            if (renewals++ % 2 === 0) await renewed()
            return method.apply(one, given)
          }
        },
      })
    const writer = renewing(ports.writer, 'changeVersions')
    const edit = await beginEdit(ports, 'shop', ADD, undefined)
    const { tally } = await finished({ ...ports, writer }, edit)
    assert.deepEqual([tally.changed, tally.skipped], [COUNT, 0])
    assert.deepEqual(
      await stocks(ports),
      before.map((stock) => stock! + 1),
    )
    const undo = await beginUndo(ports, 'shop', edit.id, undefined)
    const undone = (await finished({ ...ports, writer }, undo)).tally
    assert.deepEqual([undone.changed, undone.skipped], [COUNT, 0])
    assert.deepEqual(await stocks(ports), before)
    assert.ok(renewals > 8, String(renewals))
  })

  test('a version that is gone before it is read is edited if the document is the same', async () => {
    await using ports = await shop()
    const edit = await beginEdit(ports, 'shop', ADD, undefined)
    // Readers find none of the versions that were recorded.
    let isFirst = true
    const reader = new Proxy(ports.reader, {
      get: (one, name) => {
        const method = Reflect.get(one, name) as (...given: unknown[]) => Promise<unknown>
        if (name !== 'scan') return method.bind(one)
        return async (storeId: string, docKeys: Float64Array) => {
          // The search for the documents reads all of them.
          if (isFirst) {
            isFirst = false
            return method.call(one, storeId, docKeys)
          }
          return method.call(one, storeId, new Float64Array(0))
        }
      },
    })
    const { tally } = await finished({ ...ports, reader }, edit)
    assert.deepEqual([tally.changed, tally.skipped], [COUNT, 0])
  })

  test('what a process left is taken at once by the next, and by one runner of it', async () => {
    const folder = memoryFolder('aisle-left-edit-')
    const killed = await shop(folder)
    const edit = await beginEdit(killed, 'shop', ADD, undefined)
    await EDIT_RECORDS.update(killed, edit, (one) => ({ ...one, runner: 'of the dead process' }))
    const waiting = editRunner(killed)
    await waiting.poll()
    await waiting.stop()
    assert.equal((await findEdit(killed, 'shop', edit.id)).state, 'finding', 'it may be alive')
    await killed.kill()
    await using catalog = await openEmbeddedCatalog(folder, { clock })
    const ports = { ...servicePortsOver(catalog, clock), ...catalog }
    const runners = Array.from({ length: 4 }, () => editRunner(ports))
    await Promise.all(runners.map((runner) => runner.poll()))
    await Promise.all(runners.map((runner) => runner.idle()))
    const record = await findEdit(ports, 'shop', edit.id)
    assert.deepEqual([record.state, record.tally.changed, record.attempts], ['done', COUNT, 1])
    for (const runner of runners) await runner.stop()
  })

  test('a thread that does not know a store yet sweeps none of its edits away', async () => {
    await using ports = await shop()
    await beginEdit(ports, 'shop', ADD, undefined)
    const unaware = { ...ports, backend: { ...ports.backend, view: () => undefined } }
    await sweepEdits(unaware)
    assert.equal((await ports.edits.contents()).length, 1)
  })

  test('the edits of a deleted store go with the sweep', async () => {
    await using ports = await shop()
    await finished(ports, await beginEdit(ports, 'shop', ADD, undefined))
    await sweepEdits(ports)
    assert.equal((await ports.edits.contents()).length, 1)
    await ports.writer.deleteStore('shop')
    await sweepEdits(ports)
    assert.deepEqual(await ports.edits.contents(), [])
  })
})
