import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const call = (method: TestRequest['method'] & string, path: string, body?: unknown) =>
  testApp.call({ method, url: `/api/v1/stores/${store.id}/${path}`, headers: store.write, body })

suite('bad rules are refused by name', () => {
  const long = 'x'.repeat(201)
  const refused: readonly (readonly [rule: unknown, code: string, param: string | undefined])[] = [
    ['', 'malformed_json', undefined],
    [[], 'invalid_parameter', undefined],
    [{ id: 'other' }, 'invalid_parameter', 'id'],
    [{ pins: [] }, 'invalid_parameter', 'pins'],
    [{ enabled: 'yes' }, 'invalid_parameter', 'enabled'],
    [{ priority: 1.5 }, 'invalid_parameter', 'priority'],
    [{ priority: 1_000_001 }, 'invalid_parameter', 'priority'],
    [{ when: [] }, 'invalid_parameter', 'when'],
    [{ when: {} }, 'invalid_parameter', 'when'],
    [{ when: [{ match: 'is' }] }, 'invalid_parameter', 'when[0].match'],
    [{ when: [{ match: 'exact' }] }, 'missing_parameter', 'when[0].query'],
    [{ when: [{}, { query: '!?' }] }, 'invalid_parameter', 'when[1].query'],
    [{ when: [{ query: '' }] }, 'invalid_parameter', 'when[0].query'],
    [{ when: [{ query: 'shoe', match: 'any' }] }, 'invalid_parameter', 'when[0].query'],
    [{ when: [{ query: long }] }, 'invalid_parameter', 'when[0].query'],
    [{ when: [{ contexts: [] }] }, 'invalid_parameter', 'when[0].contexts'],
    [{ when: [{ contexts: [''] }] }, 'invalid_parameter', 'when[0].contexts[0]'],
    [{ when: [{ filter_by: 'colour:red' }] }, 'unknown_field', 'when[0].filter_by'],
    [{ when: Array(26).fill({}) }, 'invalid_parameter', 'when'],
    [{ pin: [{ id: '1' }] }, 'missing_parameter', 'pin[0].position'],
    [{ pin: [{ id: '1', position: 0 }] }, 'invalid_parameter', 'pin[0].position'],
    [{ pin: [{ id: '', position: 1 }] }, 'invalid_parameter', 'pin[0].id'],
    [{ pin: [{ id: 'é'.repeat(257), position: 1 }] }, 'invalid_parameter', 'pin[0].id'],
    [
      {
        pin: [
          { id: '1', position: 1 },
          { id: '1', position: 2 },
        ],
      },
      'invalid_parameter',
      'pin[1].id',
    ],
    [
      {
        pin: [
          { id: '1', position: 1 },
          { id: '2', position: 1 },
        ],
      },
      'invalid_parameter',
      'pin[1].position',
    ],
    [{ pin: [{ id: '1', position: 1 }], hide: ['2', '1'] }, 'invalid_parameter', 'hide[1]'],
    [{ hide: [1] }, 'invalid_parameter', 'hide[0]'],
    [{ boost: [{ filter_by: 'brand:=x', weight: 0 }] }, 'invalid_parameter', 'boost[0].weight'],
    [{ boost: [{ filter_by: 'brand:=x', weight: 1001 }] }, 'invalid_parameter', 'boost[0].weight'],
    [{ boost: [{ weight: 2 }] }, 'missing_parameter', 'boost[0].filter_by'],
    [{ boost: [{ filter_by: 'price:<', weight: 2 }] }, 'invalid_filter', 'boost[0].filter_by'],
    [{ filter_by: '' }, 'invalid_parameter', 'filter_by'],
    [{ filter_by: 'title:=x' }, 'field_not_filterable', 'filter_by'],
    [{ sort_by: 'title' }, 'field_not_sortable', 'sort_by'],
    [{ sort_by: 'price:up' }, 'invalid_sort', 'sort_by'],
    [{ sort_by: ['price', 'x'] }, 'unknown_field', 'sort_by[1]'],
    [{ replace_query: '…' }, 'invalid_parameter', 'replace_query'],
    [{ replace_query: 'a', remove_words: ['b'] }, 'invalid_parameter', 'remove_words'],
    [{ remove_words: ['cheap', '-'] }, 'invalid_parameter', 'remove_words[1]'],
    [{ banner: 5 }, 'invalid_parameter', 'banner'],
    [{ redirect: 'data:text/html,x' }, 'invalid_parameter', 'redirect'],
    ...[
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      ' /sale',
      '/sale\u0000',
      '/sale\u0085',
      `${'java'}script:alert(1)`,
      `${'Java'}Script://x/%0aalert(1)`,
      'java\tscript:alert(1)',
      'vbscript:x',
      'https:evil.example',
      'https:/evil.example',
      'https:///evil.example',
      'https://',
      'https://?x',
      'https://ada:secret@evil.example/',
      'https://shop.example@evil.example/',
      'ftp://x.example/',
      'file:///etc/passwd',
      'blob:https://x.example/1',
      'sale',
      './sale',
      '?q=1',
      '',
    ].flatMap((url): [object, string, string][] => [
      [{ redirect: url }, 'invalid_parameter', 'redirect'],
      [{ redirect: { url } }, 'invalid_parameter', 'redirect.url'],
    ]),
    [{ redirect: { url: 'shop' } }, 'invalid_parameter', 'redirect.url'],
    [{ redirect: {} }, 'invalid_parameter', 'redirect.url'],
    [{ metadata: { banner: 1 } }, 'invalid_parameter', 'metadata.banner'],
    [{ metadata: [] }, 'invalid_parameter', 'metadata'],
    [{ metadata: { text: 'x'.repeat(16_000) } }, 'invalid_parameter', 'metadata'],
    [{ schedule: [{}] }, 'invalid_parameter', 'schedule[0]'],
    [{ schedule: [{ from: '2026-01-01' }] }, 'invalid_parameter', 'schedule[0].from'],
    [{ schedule: [{ from: '2026-01-01T00:00:00' }] }, 'invalid_parameter', 'schedule[0].from'],
    [{ schedule: [{ until: '2026-02-30T00:00:00Z' }] }, 'invalid_parameter', 'schedule[0].until'],
    [
      { schedule: [{ from: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }] },
      'invalid_parameter',
      'schedule[0].until',
    ],
  ]
  for (const [rule, code, param] of refused) {
    test(`${JSON.stringify(rule).slice(0, 80)} is 400 ${code}`, async () => {
      const answer = await call('PUT', 'rules/x', rule)
      const { code: actual, param: at, error } = answer.json()
      assert.deepEqual([answer.statusCode, actual, at], [400, code, param], answer.body)
      if (param !== undefined) assert.ok(error.length > 20, error)
    })
  }

  test('everything that is wrong is listed at once', async () => {
    const rule = { when: [{ query: '!' }], filter_by: 'x:1', redirect: 'ftp://x', hide: ['1'] }
    const { details } = (await call('PUT', 'rules/x', rule)).json()
    assert.deepEqual(
      details.map(({ param }: { param: string }) => param),
      ['when[0].query', 'filter_by', 'redirect'],
    )
  })
})
