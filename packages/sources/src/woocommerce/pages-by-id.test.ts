import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { pagesById } from './pages-by-id.ts'

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 60 })
const changes = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 40 }),
    id: fc.integer({ min: 1, max: 200 }),
    adds: fc.boolean(),
  }),
  { maxLength: 30 },
)

suite('pages by id', () => {
  test('have each element that stays once, whatever else is added and removed meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        ids,
        changes,
        fc.integer({ min: 2, max: 7 }),
        async (begin, others, size) => {
          const list = new Set(begin)
          const stayed = new Set(begin)
          let request = 0
          const page = async (offset: number): Promise<readonly { readonly id: number }[]> => {
            for (const { at, id, adds } of others) {
              if (at !== request) continue
              if (adds) list.add(id)
              else list.delete(id)
              if (!adds) stayed.delete(id)
            }
            request++
            assert.ok(request < 500, 'it ends')
            const sorted = [...list].toSorted((a, b) => a - b)
            return sorted.slice(offset, offset + size).map((id) => ({ id }))
          }
          const read: number[] = []
          for await (const some of pagesById(page, size)) read.push(...some.map(({ id }) => id))
          assert.deepEqual(
            read,
            [...new Set(read)].toSorted((a, b) => a - b),
          )
          for (const id of stayed) assert.ok(read.includes(id), `${id} is missing`)
        },
      ),
    )
  })
})
