import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from '../../packages/server/src/http/test/test-app.ts'
import { phraseCatalogs, phraseReport, readPhrases } from './interpretation.ts'

const PRECISION_MIN = 0.99
const RECALL_MIN = 0.9

const testApp = await createTestApp({ searchTimeoutDefaultMs: 20_000 })
after(() => testApp[Symbol.asyncDispose]())

suite('phrases with prices, colours, sizes, brands and categories', async () => {
  const stores = new Map<string, Record<string, string>>()
  for (const { store: id, language, fields, documents } of phraseCatalogs()) {
    const store = await testApp.createStore(`phrases-${id}`)
    const send = async (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') => {
      const url = `/api/v1/stores/${store.id}/${path}`
      const { statusCode } = await testApp.call({ method, url, headers: store.write, body })
      assert.ok(statusCode < 300, `${path}: ${statusCode}`)
    }
    await send('settings', { language }, 'PATCH')
    await send('schema', { fields })
    await send('documents/bulk', { documents: documents.map((data) => ({ ...data })) })
    stores.set(id, store.read)
  }

  test('are read as the list says', async () => {
    const phrases = readPhrases()
    assert.ok(phrases.length >= 300, `${phrases.length} phrases`)
    const report = await phraseReport(phrases, async ({ store, query: q }) => {
      const body = { q, interpret: true, per_page: 0, analytics: false }
      const headers = stores.get(store)!
      const answer = await testApp.call({ method: 'POST', url: '/v1/search', headers, body })
      return answer.json().interpretation.filters
    })
    if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(report, undefined, 1))
    assert.ok(report.precision >= PRECISION_MIN, report.false.join('\n'))
    assert.ok(report.recall >= RECALL_MIN, report.missed.join('\n'))
  })
})
