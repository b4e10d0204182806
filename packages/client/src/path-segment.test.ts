import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AisleClient } from './aisle-client.ts'
import { pathSegment } from './path-segment.ts'

test('a name stays one segment of the path, whatever it contains', () => {
  for (const name of ['a/b', '../settings', '%2e%2e', 'a?b#c', 'ä ö', '...', '.a', ' ']) {
    const { pathname, search, hash } = new URL(`http://x/documents/${pathSegment(name)}`)
    assert.equal(decodeURIComponent(pathname), `/documents/${name}`)
    assert.deepEqual([search, hash], ['', ''])
  }
})

test('a name that would change the path is refused before anything is sent', async () => {
  let sent = 0
  const client = new AisleClient({
    url: 'http://x',
    readSecret: 'r',
    writeSecret: 'w',
    fetch: async () => {
      sent++
      return new Response('{}')
    },
  })
  const store = client.store('shop')
  for (const name of ['', '.', '..']) {
    await assert.rejects(async () => await store.document(name), TypeError)
    await assert.rejects(async () => await store.deleteDocument(name), TypeError)
    await assert.rejects(async () => await store.putResource('rules', name, {}), TypeError)
  }
  assert.equal(sent, 0)
})
