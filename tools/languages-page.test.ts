import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestApp } from '../packages/server/src/http/test/test-app.ts'
import { readSource } from './lib/source-files.ts'

/** A block of the page: the catalog of a store, and the titles that a query finds, best first. */
interface Example {
  readonly language: string
  readonly titles: readonly string[]
  readonly finds: Readonly<Record<string, readonly string[]>>
}

const PAGE = readSource('docs/languages.md').text
const EXAMPLES = Array.from(
  PAGE.matchAll(/^```json languages\n([^]*?)^```$/gm),
  ([, text]) => JSON.parse(text!) as Example,
)

suite('docs/languages.md shows actual results', async () => {
  await using app = await createTestApp()
  const found: { readonly title: string; readonly actual: unknown; readonly expected: unknown }[] =
    []
  for (const [number, { language, titles, finds }] of EXAMPLES.entries()) {
    const store = await app.createStore(`languages-${number}`)
    const call = async (method: 'POST' | 'PATCH', path: string, body: object) => {
      const url = `/api/v1/stores/${store.id}/${path}`
      const answer = await app.call({ method, url, headers: store.write, body })
      assert.ok(answer.statusCode < 300, answer.body)
    }
    await call('PATCH', 'settings', { language })
    await call('POST', 'schema', { fields: [{ name: 'title', type: 'string', searchable: true }] })
    const documents = titles.map((title, i) => ({ id: String(i), title }))
    await call('POST', 'documents/bulk', { documents })
    for (const [q, expected] of Object.entries(finds)) {
      const request = { method: 'POST', url: '/v1/search', headers: store.read } as const
      const answer = await app.call({ ...request, body: { q, typo_max: 0 } })
      const { hits } = answer.json() as { hits: { document: { title: string } }[] }
      const actual = hits.map(({ document }) => document.title)
      found.push({ title: `${language}: ${q}`, actual, expected })
    }
  }
  for (const { title, actual, expected } of found) {
    test(title, () => assert.deepEqual(actual, expected))
  }

  test('the page has examples', () => assert.ok(found.length >= 7))
})
