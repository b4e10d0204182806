import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EvidenceTables } from './evidence-tables.ts'
import type { IndexView } from './index-view.ts'

const viewOf = (...averageLengths: number[]) => ({ averageLengths }) as unknown as IndexView

// Regression: cached data of words belongs to the tables of a search. Requests with weights, and
// every count of another spelling, used to make new tables; after eight of them all words were
// looked up again.
test('equal weights share tables, and those of a store outlive others', () => {
  const view = viewOf(4, 20)
  const lengthNorms = [0.5, 0.75]
  const own = { fieldWeights: [5, 1], lengthNorms }
  const tables = EvidenceTables.for(view, own)
  const brought = () => EvidenceTables.for(view, { fieldWeights: [2, 0], lengthNorms })
  const others = brought()
  assert.notEqual(others.number, tables.number)
  for (let i = 0; i < 3; i++) assert.equal(brought(), others)
  assert.equal(EvidenceTables.for(view, { fieldWeights: [5, 1], lengthNorms }), tables)
  for (let i = 1; i <= 20; i++) {
    EvidenceTables.for(view, { fieldWeights: [i, i], lengthNorms })
    assert.equal(EvidenceTables.for(view, own), tables)
  }
})

test('tables differ by average lengths and by view', () => {
  const fieldWeights = [5, 1]
  const view = viewOf(4, 20)
  const tables = EvidenceTables.for(view, { fieldWeights, lengthNorms: [0.5, 0.75] })
  const plain = EvidenceTables.for(view, { fieldWeights, lengthNorms: [0, 0] })
  assert.notEqual(plain.key, tables.key)
  assert.notEqual(plain.number, tables.number)
  const again = EvidenceTables.for(view, { fieldWeights, lengthNorms: [0.5, 0.75] })
  assert.equal(again, tables)
  const later = EvidenceTables.for(viewOf(4, 21), { fieldWeights, lengthNorms: [0.5, 0.75] })
  assert.notEqual(later.number, tables.number)
})
