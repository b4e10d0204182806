import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../packages/server/src/http/test/test-app.ts'
import { readSource } from './lib/source-files.ts'

const page = readSource('docs/explain.md').text

/** A block of the page by the text after its language. */
function block(name: string): unknown {
  return JSON.parse(page.split(`\`\`\`json ${name}\n`)[1]!.split('```')[0]!)
}

test('docs/explain.md shows the actual tree of a search', async () => {
  await using app = await createTestApp()
  const store = await app.createStore('explained')
  const fields = ['title', 'brand'].map((name) => ({ name, type: 'string', searchable: true }))
  const write = (url: string, body: object) =>
    app.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/${url}`,
      headers: store.write,
      body,
    })
  await write('schema', { fields })
  await write('documents/bulk', { documents: block('documents') })
  const answer = await app.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body: block('search'),
  })
  const [hit] = answer.json().hits
  assert.deepEqual(hit.explanation, block('explanation'))
  assert.ok(page.includes(hit.text_match_score.toLocaleString('en')))
})
