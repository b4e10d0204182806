import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestApp } from '../packages/server/src/http/test/test-app.ts'
import { readSource } from './lib/source-files.ts'

const page = readSource('docs/search.md').text
const BLOCK = /```json (\w+)\n([\s\S]*?)```/g
const blocks = Array.from(page.matchAll(BLOCK), ([, name, text]) => ({
  name: name!,
  value: JSON.parse(text!) as Record<string, unknown>,
}))
const valueOf = (wanted: string) => blocks.find(({ name }) => name === wanted)!.value

suite('docs/search.md', async () => {
  await using app = await createTestApp()
  const store = await app.createStore('examples')
  const post = (url: string, headers: Record<string, string>, body: object) =>
    app.call({ method: 'POST', url, headers, body })
  const write = (path: string, body: object) =>
    post(`/api/v1/stores/${store.id}/${path}`, store.write, body)
  await write('schema', { fields: valueOf('fields') })
  await write('documents/bulk', { documents: valueOf('documents') })

  const examples = blocks.filter(({ name }) => name === 'search')
  const answers = blocks.filter(({ name }) => name === 'answer')
  assert.equal(examples.length, answers.length)
  const shown = await Promise.all(
    examples.map(async ({ value }) => {
      const request = { return_fields: ['title'], highlight: false, ...value }
      const answer = await post('/v1/search', store.read, request)
      return answer.json() as Record<string, unknown>
    }),
  )
  examples.forEach(({ value }, i) => {
    test(`answers ${JSON.stringify(value)} so`, () => {
      const expected = answers[i]!.value
      assert.partialDeepStrictEqual(shown[i], expected)
      // A part of a list would do for that: hits must be all of them.
      const length = (list: unknown) => (Array.isArray(list) ? list.length : 0)
      assert.equal(length(shown[i]!['hits']), length(expected['hits']))
    })
  })
})
