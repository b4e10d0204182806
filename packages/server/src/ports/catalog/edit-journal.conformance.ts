import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { EditJournal } from './edit-journal.ts'

const FIRST = '019c0000-0000-7000-8000-000000000001'
const SECOND = '019c0000-0000-7000-8000-000000000002'
const row = (id: string, content = '1', isOpen = true, json = '{}') => ({
  id,
  content,
  isOpen,
  json,
})

/** Tests every EditJournal; each adapter calls it from its own test file. */
export function editJournalConformance(
  name: string,
  create: () => Promise<{ readonly edits: EditJournal } & AsyncDisposable>,
): void {
  suite(`${name} conforms to EditJournal`, () => {
    test('lists the edits of a content, newest first, and the open ones of all', async () => {
      await using catalog = await create()
      const { edits } = catalog
      assert.deepEqual(await edits.list('1'), [])
      await edits.put(row(FIRST, '1', false, '{"a":1}'))
      await edits.put(row(SECOND, '1'))
      await edits.put(row(SECOND, '2'))
      assert.deepEqual(
        (await edits.list('1')).map(({ id, json }) => [id, json]),
        [
          [SECOND, '{}'],
          [FIRST, '{"a":1}'],
        ],
      )
      const open = (await edits.open()).map(({ content, id }) => `${content} ${id}`)
      assert.deepEqual(open.toSorted(), [`1 ${SECOND}`, `2 ${SECOND}`])
      assert.deepEqual((await edits.contents()).toSorted(), ['1', '2'])
    })

    test('lists all of more than one page', async () => {
      await using catalog = await create()
      const { edits } = catalog
      const ids = Array.from({ length: 1_050 }, (_, i) => `source-${10_000 + i}`)
      for (let at = 0; at < ids.length; at += 150) {
        await Promise.all(ids.slice(at, at + 150).map((id) => edits.put(row(id, 'many'))))
      }
      const listed = (await edits.list('many')).map(({ id }) => id)
      assert.deepEqual(listed, ids.toReversed())
      assert.equal((await edits.open()).length, ids.length)
    })

    test('changes an edit only from the state that was read', async () => {
      await using catalog = await create()
      const { edits } = catalog
      const made = await edits.put(row(FIRST))
      assert.ok(made)
      assert.equal(await edits.put(row(FIRST)), undefined)
      const changed = await edits.put(row(FIRST, '1', false), made)
      assert.ok(changed)
      assert.equal(await edits.put(row(FIRST, '1', true, '{"late":1}'), made), undefined)
      const stored = await edits.get('1', FIRST)
      assert.deepEqual(stored, { ...row(FIRST, '1', false), revision: changed })
      assert.deepEqual(await edits.open(), [])
    })

    test('keeps parts byte for byte, and removes them with the edit', async () => {
      await using catalog = await create()
      const { edits } = catalog
      await edits.put(row(FIRST))
      const bytes = Uint8Array.from({ length: 300 }, (_, at) => at)
      for (const number of [0, 1, 300]) await edits.putPart(FIRST, number, bytes)
      await edits.putPart(FIRST, 1, bytes.subarray(0, 2))
      await edits.putPart(SECOND, 0, bytes)
      assert.deepEqual(Buffer.from((await edits.part(FIRST, 300))!), Buffer.from(bytes))
      assert.deepEqual(Buffer.from((await edits.part(FIRST, 1))!), Buffer.from([0, 1]))
      assert.equal(await edits.part(FIRST, 2), undefined)
      await edits.removeParts(FIRST, 300)
      assert.equal(await edits.part(FIRST, 1), undefined)
      assert.ok(await edits.part(FIRST, 300))
      await edits.remove('1', FIRST)
      assert.equal(await edits.part(FIRST, 300), undefined)
      assert.equal(await edits.get('1', FIRST), undefined)
      assert.ok(await edits.part(SECOND, 0))
    })
  })
}
