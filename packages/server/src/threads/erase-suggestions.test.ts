import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestService } from './test/test-service.ts'

interface Suggested {
  readonly query: string
  readonly popularity: number
}

test('what an erased visitor searched for is not suggested any more; a rebuild changes nothing', async () => {
  await using service = await TestService.start(['--threads', '1'])
  const keys = await service.createShop()
  const document = { id: 'd', data: { n: 1 } }
  const written = await service.call('POST', '/api/v1/stores/shop/documents', document, keys)
  assert.equal(written.status, 201, written.text)
  const analytics = '/api/v1/stores/shop/analytics'
  const suggestions = async (headers: Record<string, string> = {}): Promise<Suggested[]> => {
    const path = '/v1/suggestions/queries?q=te'
    const answer = await service.call('GET', path, undefined, { ...keys, ...headers })
    return answer.body['suggestions'] as Suggested[]
  }
  /** Suggestions follow the log within seconds. */
  const until = async (wanted: Suggested[]): Promise<void> => {
    for (let i = 0; i < 150; i++) {
      if (JSON.stringify(await suggestions()) === JSON.stringify(wanted)) return
      await sleep(100)
    }
    assert.deepEqual(await suggestions(), wanted)
  }
  const searches = [
    ['ada', 'tent'],
    ['cyd', 'tent'],
    ['bob', 'teapot'],
  ] as const
  for (const [user, query] of searches) {
    const event = { event_type: 'search', data: { query, total_results: 3 } }
    const visitor = { 'x-user-id': user, 'x-session-id': `${user} ${query}` }
    const sent = await service.call('POST', '/analytics/event', event, { ...keys, ...visitor })
    assert.equal(sent.status, 200, sent.text)
  }
  const live = [
    { query: 'tent', popularity: 2 },
    { query: 'teapot', popularity: 1 },
  ]
  await until(live)
  const personal = await suggestions({ 'x-user-id': 'bob' })
  assert.equal(personal[0]?.query, 'teapot', 'what this visitor searched for last')

  const rebuilt = await service.call('POST', `${analytics}/rebuild`, undefined, keys)
  assert.equal(rebuilt.status, 200, rebuilt.text)
  await sleep(1_500)
  assert.deepEqual(await suggestions(), live)
  assert.deepEqual(await suggestions({ 'x-user-id': 'bob' }), personal)

  const path = `${analytics}/visitors?user_id=bob`
  const erased = await service.call('DELETE', path, undefined, keys)
  assert.equal(erased.status, 200, erased.text)
  await until([{ query: 'tent', popularity: 2 }])
  assert.deepEqual(await suggestions({ 'x-user-id': 'bob' }), [{ query: 'tent', popularity: 2 }])
})
