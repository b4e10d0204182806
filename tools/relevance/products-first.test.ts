import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { accessoriesFirst, loadProductPairs, readProductPairs } from './products-first.ts'

/** As measured. Without the part `purpose` of the ranking: 59 of 60, with `down` 26. */
const WRONG_MAX = { off: 1, down: 1 }

test('a product comes before what goes with it and repeats its name', async () => {
  await using server = await ServerProcess.start()
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const pairs = readProductPairs()
  assert.equal(pairs.length, 60)
  const keys = await loadProductPairs(client, pairs)
  for (const accessories of ['off', 'down'] as const) {
    await client.setSettings(keys, { ranking: { accessories } })
    const wrong = await accessoriesFirst(client, keys, pairs)
    assert.ok(wrong.length <= WRONG_MAX[accessories], `${accessories}: ${wrong.join(', ')}`)
  }
})
