import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { accessoriesFirst, loadProductPairs, readProductPairs } from './products-first.ts'

/** As measured. Without `accessories: down`: 59 of 60. */
const WRONG_MAX = 26

test('a product comes before what goes with it and repeats its name', async () => {
  await using server = await ServerProcess.start()
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const pairs = readProductPairs()
  assert.equal(pairs.length, 60)
  const keys = await loadProductPairs(client, pairs)
  await client.setSettings(keys, { ranking: { accessories: 'down' } })
  const wrong = await accessoriesFirst(client, keys, pairs)
  assert.ok(wrong.length <= WRONG_MAX, wrong.join(', '))
  for (const query of ['iphone 15', 'trail shoe', 'tent']) assert.ok(!wrong.includes(query), query)
})
