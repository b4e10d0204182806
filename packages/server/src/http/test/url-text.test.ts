import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
const store = await testApp.createStore('errors')

suite('text in a URL', () => {
  // Bytes that are not UTF-8: never valid, truncated, a surrogate, an overlong encoding.
  for (const bytes of ['%ff', '%FF', 'a%C3', '%C3%28', '%ED%A0%80', '%C0%AF', '%F4%90%80%80']) {
    test(`${bytes} in a URL is 400 invalid_unicode`, async () => {
      for (const [url, param] of [
        [`/api/v1/stores/errors/documents/${bytes}`, undefined],
        [`/v1/sear${bytes}`, undefined],
        [`/v1/search?q=${bytes}`, 'q'],
        [`/v1/search?q=a&per_page=1&x=${bytes}&y=?`, 'x'],
        [`/v1/search?q=a&${bytes}=1`, undefined],
        [`/v1/suggestions/queries?q=${bytes}`, 'q'],
      ] as const) {
        const answer = await call({ url, headers: store.read })
        const { code, param: named } = answer.json()
        assert.deepEqual([answer.statusCode, code, named], [400, 'invalid_unicode', param], url)
      }
    })
  }

  test('UTF-8 in a URL is text, a percent sign alone too', async () => {
    for (const q of ['%C3%A9', '%F0%9F%98%80', '100%', '%', '%zz', '%E2%82%AC%']) {
      const answer = await call({ url: `/v1/search?q=${q}`, headers: store.read })
      assert.equal(answer.statusCode, 200, `${q}: ${answer.body}`)
    }
  })
})
