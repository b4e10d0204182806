import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { acceptSynonym } from './decide-synonym.ts'

test('an accepted synonym is answered, even if another request deletes its set at once', async () => {
  // Whatever is written, nothing is found afterwards.
  const resources = { get: () => undefined, list: () => [] }
  const view = { analyzer: createAnalyzer('en'), resources }
  const ports = {
    resources: { of: () => resources },
    writer: { changeResources: () => Promise.resolve(true) },
    backend: { view: () => view },
  } as unknown as Parameters<typeof acceptSynonym>[0]
  const answer = await acceptSynonym(ports, 'shop', { from: 'torch', to: 'lamp', set: 'x' })
  assert.deepEqual(JSON.parse(answer), {
    name: 'x',
    items: [{ root: 'torch', synonyms: ['lamp'] }],
    default: true,
  })
})
