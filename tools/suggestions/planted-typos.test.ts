import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { catalogWithTypos } from './catalog-with-typos.ts'
import { judgePrefixes } from './judge-prefixes.ts'
import { readTexts } from './read-texts.ts'

/** Number of prefixes per catalog. */
const CASES = 75

async function judge(name: string, data?: string): Promise<void> {
  const server = await ServerProcess.start()
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  try {
    const catalog = catalogWithTypos(name, readTexts(name, data), { cases: CASES, seed: 1 })
    const judged = await judgePrefixes(server, client, catalog)
    assert.equal(judged.prefixes, CASES)
    assert.deepEqual(judged.typos, [])
    assert.ok(judged.fragments.length <= 0.05 * CASES, judged.fragments.join('\n'))
    assert.ok(judged.meant > 0.8 * CASES, `${judged.meant} of ${CASES} find what was meant`)
  } finally {
    client.close()
    await server.stop()
  }
}

// Goal: a typo of one visitor, and a misspelling in a few titles, is never shown to others. Method:
// misspellings planted in the traffic and in the titles of a catalog; checks the first five
// suggestions.
test('no misspelling of a visitor or of a few titles is suggested in the demo shop', () =>
  judge('demo'))

// Only with the data sets: `AISLE_DATASETS=FOLDER npm test` (CONTRIBUTING.md).
const folder = process.env['AISLE_DATASETS']
for (const name of ['amazon_in', 'icecat']) {
  if (folder === undefined || !existsSync(join(folder, name))) continue
  test(`nor in ${name}`, () => judge(name, folder))
}
