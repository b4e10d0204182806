import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const call = (
  method: TestRequest['method'] & string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) => {
  const url = `/api/v1/stores/${store.id}/${path}`
  return testApp.call({ method, url, headers: { ...store.write, ...headers }, body })
}
const idsOfRules = async (): Promise<string[]> => {
  const { rules } = (await call('GET', 'rules')).json() as { rules: { id: string }[] }
  return rules.map(({ id }) => id)
}
const empty = async (): Promise<void> => {
  await call('PATCH', 'rules', { delete: await idsOfRules() })
}
const applied = async (q: string): Promise<string[]> => {
  const body = { q }
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body,
  })
  return (answer.json() as { applied_rules?: string[] }).applied_rules ?? []
}

suite('many rules change together', () => {
  test('created, replaced, unchanged and deleted ones are named', async () => {
    await empty()
    const first = await call('PATCH', 'rules', {
      put: [
        { id: 'a', hide: ['1'] },
        { id: 'b', hide: ['2'] },
        { id: 'c', hide: ['3'] },
      ],
    })
    assert.deepEqual(first.json(), {
      created: ['a', 'b', 'c'],
      replaced: [],
      unchanged: [],
      deleted: [],
      dry_run: false,
    })
    const change = {
      put: [
        { id: 'a', hide: ['1'] },
        { id: 'b', hide: ['9'] },
        { id: 'd', hide: ['4'] },
      ],
      delete: ['c'],
    }
    const expected = { created: ['d'], replaced: ['b'], unchanged: ['a'], deleted: ['c'] }
    const dry = await call('PATCH', 'rules', { ...change, dry_run: true })
    assert.deepEqual(dry.json(), { ...expected, dry_run: true })
    assert.deepEqual(await idsOfRules(), ['a', 'b', 'c'])
    const done = await call('PATCH', 'rules', change)
    assert.deepEqual(done.json(), { ...expected, dry_run: false })
    assert.deepEqual(await idsOfRules(), ['a', 'b', 'd'])
    assert.deepEqual(await applied('shoe'), ['a', 'b', 'd'])
  })

  test('all of them or none: an error names every fault with its place', async () => {
    await empty()
    const answer = await call('PATCH', 'rules', {
      put: [
        { id: 'good', hide: ['1'] },
        { id: 'bad', boost: [{ filter_by: 'colour:=red', weight: 2 }], sort_by: 'title:up' },
        { id: 'worse', when: [{ query: '!?' }] },
      ],
    })
    assert.equal(answer.statusCode, 400, answer.body)
    const { details } = answer.json() as { details: { param: string; code: string }[] }
    assert.deepEqual(
      details.map(({ param, code }) => [param, code]),
      [
        ['put[1].boost[0].filter_by', 'unknown_field'],
        ['put[1].sort_by', 'field_not_sortable'],
        ['put[2].when[0].query', 'invalid_parameter'],
      ],
    )
    assert.deepEqual(await idsOfRules(), [])
  })

  test('If-Match takes the ETag of the list', async () => {
    await empty()
    const etag = (await call('GET', 'rules')).headers['etag'] as string
    const put = [{ id: 'a', hide: ['1'] }]
    assert.equal((await call('PATCH', 'rules', { put }, { 'if-match': etag })).statusCode, 200)
    const late = await call('PATCH', 'rules', { put }, { 'if-match': etag })
    assert.deepEqual([late.statusCode, late.json().code], [412, 'precondition_failed'])
    // Thousands of rules would be megabytes: it has only the version of the list.
    const newest = (await call('GET', 'rules')).headers['etag']
    assert.deepEqual(late.json().current, { etag: newest })
  })

  const refused: readonly (readonly [body: unknown, code: string, param: string | undefined])[] = [
    ['', 'malformed_json', undefined],
    [[], 'invalid_parameter', undefined],
    [{ rules: [] }, 'invalid_parameter', 'rules'],
    [{ put: {} }, 'invalid_parameter', 'put'],
    [{ put: [{ hide: ['1'] }] }, 'missing_parameter', 'put[0].id'],
    [{ put: [{ id: 'a', pins: [] }] }, 'invalid_parameter', 'put[0].pins'],
    [{ put: [{ id: 'a/b' }] }, 'invalid_parameter', 'put[0].id'],
    [{ put: [{ id: 'a' }, { id: 'a' }] }, 'invalid_parameter', 'put'],
    [{ put: [{ id: 'a' }], delete: ['a'] }, 'invalid_parameter', 'put'],
    [{ put: [{ id: 'a', strategy: 'none' }] }, 'invalid_parameter', 'put[0].strategy'],
    [{ delete: ['none'] }, 'rule_not_found', 'delete[0]'],
    [{ delete: [''] }, 'invalid_parameter', 'delete[0]'],
    [{ dry_run: 'yes' }, 'invalid_parameter', 'dry_run'],
    [
      { put: Array.from({ length: 5_001 }, (_, i) => ({ id: `r${i}` })) },
      'invalid_parameter',
      'put',
    ],
  ]
  for (const [body, code, param] of refused) {
    test(`refused: ${JSON.stringify(body).slice(0, 70)}`, async () => {
      await empty()
      const answer = await call('PATCH', 'rules', body)
      assert.deepEqual([answer.json().code, answer.json().details?.[0]?.param], [code, param])
    })
  }
})

suite('the order of rules', () => {
  test('is saved in one request, and changes only what it must', async () => {
    await empty()
    const put = [30, 20, 10].map((priority, i) => ({ id: 'abc'[i]!, priority, hide: ['1'] }))
    await call('PATCH', 'rules', { put })
    const moved = await call('PUT', 'rule-order', { order: ['c', 'a', 'b'] })
    assert.deepEqual(moved.json(), { changed: [{ id: 'c', priority: 40 }] })
    assert.deepEqual(await applied('shoe'), ['c', 'a', 'b'])
    const again = await call('PUT', 'rule-order', { order: ['c', 'a', 'b'] })
    assert.deepEqual(again.json(), { changed: [] })
    const etag = (await call('GET', 'rules')).headers['etag'] as string
    await call('PUT', 'rules/a', { priority: 3 })
    const late = await call('PUT', 'rule-order', { order: ['a', 'b', 'c'] }, { 'if-match': etag })
    assert.equal(late.statusCode, 412)
  })

  const refused: readonly (readonly [body: unknown, code: string, param: string | undefined])[] = [
    [{}, 'missing_parameter', 'order'],
    [{ order: 'a' }, 'invalid_parameter', 'order'],
    [{ order: ['a', 'a'] }, 'invalid_parameter', 'order'],
    [{ order: ['a'] }, 'invalid_parameter', 'order'],
    [{ order: ['a', 'none'] }, 'rule_not_found', 'order[1]'],
    [{ order: [1] }, 'invalid_parameter', 'order[0]'],
  ]
  for (const [body, code, param] of refused) {
    test(`refused: ${JSON.stringify(body)}`, async () => {
      await empty()
      await call('PATCH', 'rules', { put: [{ id: 'a' }, { id: 'b' }] })
      const answer = await call('PUT', 'rule-order', body)
      assert.deepEqual([answer.json().code, answer.json().details?.[0]?.param], [code, param])
    })
  }
})

suite('strategies', () => {
  test('switch their rules on and off', async () => {
    await empty()
    const title = 'Summer sale'
    const put = await call('PUT', 'strategies/summer', { title })
    assert.deepEqual(put.json(), { name: 'summer', enabled: true, title })
    await call('PUT', 'rules/a', { strategy: 'summer', hide: ['1'] })
    await call('PUT', 'rules/b', { hide: ['2'] })
    assert.deepEqual(await applied('shoe'), ['a', 'b'])
    await call('PUT', 'strategies/summer', { title, enabled: false })
    assert.deepEqual(await applied('shoe'), ['b'])
    const until = '2020-01-01T00:00:00Z'
    await call('PUT', 'strategies/summer', { title, schedule: [{ until }] })
    assert.deepEqual(await applied('shoe'), ['b'])
    await call('PUT', 'strategies/summer', { title, schedule: [{ from: until }] })
    assert.deepEqual(await applied('shoe'), ['a', 'b'])
    const listed = await call('GET', 'strategies')
    assert.deepEqual(
      (listed.json() as { strategies: { name: string }[] }).strategies.map(({ name }) => name),
      ['summer'],
    )
    await call('DELETE', 'strategies/summer')
    assert.deepEqual(await applied('shoe'), ['b'])
    assert.equal((await call('GET', 'strategies/summer')).json().code, 'strategy_not_found')
  })

  test('a preview shows a rule as if its strategy were on', async () => {
    await call('PUT', 'strategies/off', { title: 'Off', enabled: false })
    const answer = await call('POST', 'rules/preview', {
      rule: { strategy: 'off', hide: ['1'] },
      search: { q: '*' },
    })
    assert.equal(answer.json().applies, true, answer.body)
  })

  const refused: readonly (readonly [body: unknown, code: string, param: string | undefined])[] = [
    [{}, 'missing_parameter', 'title'],
    [{ title: '' }, 'invalid_parameter', 'title'],
    [{ title: 'x'.repeat(201) }, 'invalid_parameter', 'title'],
    [{ title: 'x', dates: [] }, 'invalid_parameter', 'dates'],
    [{ title: 'x', schedule: [] }, 'invalid_parameter', 'schedule'],
    [{ title: 'x', schedule: [{}] }, 'invalid_parameter', 'schedule[0]'],
    [{ title: 'x', schedule: [{ from: 'May' }] }, 'invalid_parameter', 'schedule[0].from'],
    [{ title: 'x', enabled: 1 }, 'invalid_parameter', 'enabled'],
  ]
  for (const [body, code, param] of refused) {
    test(`refused: ${JSON.stringify(body).slice(0, 70)}`, async () => {
      const answer = await call('PUT', 'strategies/s', body)
      assert.deepEqual([answer.json().code, answer.json().details?.[0]?.param], [code, param])
    })
  }
})

suite('conflicts', () => {
  test('are listed for all rules, for one, and for an unsaved one', async () => {
    await empty()
    await call('PATCH', 'rules', {
      put: [
        { id: 'a', description: 'Ours first', pin: [{ id: '1', position: 1 }], priority: 5 },
        { id: 'b', when: [{ query: 'shoe' }], pin: [{ id: '2', position: 1 }] },
        { id: 'c', when: [{ query: 'boot' }], redirect: '/boots' },
      ],
    })
    const conflict = {
      subject: 'position',
      key: '1',
      winner: { id: 'a', title: 'Ours first', action: 'pins `1` there' },
      loser: { id: 'b', title: 'b', action: 'pins `2` there' },
      search: { q: 'shoe' },
    }
    const all = await call('GET', 'rule-conflicts')
    assert.deepEqual(all.json(), { conflicts: [conflict], is_complete: true })
    const one = await call('GET', 'rule-conflicts?rule_id=b')
    assert.deepEqual(one.json(), all.json())
    const other = await call('GET', 'rule-conflicts?rule_id=c')
    assert.deepEqual(other.json(), { conflicts: [], is_complete: true })
    const preview = await call('POST', 'rules/preview', {
      rule: { description: 'New', when: [{ query: 'boots' }], redirect: '/sale' },
      search: { q: 'boot' },
    })
    const [found] = (preview.json() as { conflicts: (typeof conflict)[] }).conflicts
    assert.deepEqual([found!.subject, found!.loser.title], ['redirect', 'c'])
    assert.equal(preview.json().conflicts_complete, true)
    assert.equal((await call('GET', 'rule-conflicts?rule_id=none')).json().code, 'rule_not_found')
    assert.equal((await call('GET', 'rule-conflicts?id=a')).statusCode, 400)
  })

  test('a list that ends at its limit says so', async () => {
    await empty()
    // 50 rules that pin in one place have 1,225 pairs.
    const put = Array.from({ length: 50 }, (_, i) => ({
      id: `rule-${i}`,
      pin: [{ id: String(i), position: 1 }],
    }))
    await call('PATCH', 'rules', { put })
    const {
      conflicts,
      is_complete: isComplete,
      warnings,
    } = (await call('GET', 'rule-conflicts')).json()
    assert.deepEqual([conflicts.length, isComplete], [1_000, false])
    assert.match(warnings[0], /^The list ends at 1,000 conflicts/)
    await empty()
  })

  test('a fault inside a pin names its member', async () => {
    for (const [pin, param] of [
      [[{ id: '1', position: 0 }], 'put[0].pin[0].position'],
      [[{ id: '1' }], 'put[0].pin[0].position'],
      [[{ id: 5, position: 1 }], 'put[0].pin[0].id'],
      [[{ id: '1', position: 1, at: 2 }], 'put[0].pin[0].at'],
      [['1'], 'put[0].pin[0]'],
      [
        [
          { id: '1', position: 1 },
          { id: '2', position: 1 },
        ],
        'put[0].pin[1].position',
      ],
    ] as const) {
      const answer = await call('PATCH', 'rules', { put: [{ id: 'a', pin }] })
      assert.deepEqual([answer.statusCode, answer.json().details[0].param], [400, param])
      assert.ok(answer.json().error.includes(`\`${param}\``), answer.body)
    }
  })
})
