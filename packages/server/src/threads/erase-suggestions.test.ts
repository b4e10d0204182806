import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '@aisle/testing'
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
  const untilSuggested = (wanted: Suggested[]): Promise<true> => {
    const text = JSON.stringify(wanted)
    return until(text, async () => JSON.stringify(await suggestions()) === text)
  }
  const queriesOf = (all: Suggested[]): string[] => all.map(({ query }) => query)
  const searches = [
    ['ada', 'tent'],
    ['cyd', 'tent'],
    ['bob', 'teapot'],
  ] as const
  const searchFor = async (user: string, query: string): Promise<void> => {
    const visitor = { 'x-user-id': user, 'x-session-id': `${user} ${query}` }
    const searched = { event_type: 'search', data: { query, total_results: 3 } }
    // Ends the typing, which else lasts for seconds, and counts as much as the search.
    const clicked = { event_type: 'click', data: { query, document_id: 'd', position: 1 } }
    for (const event of [searched, clicked]) {
      const sent = await service.call('POST', '/analytics/event', event, { ...keys, ...visitor })
      assert.equal(sent.status, 200, sent.text)
    }
  }
  for (const [user, query] of searches) await searchFor(user, query)
  const teapot = { query: 'teapot', popularity: 2 }
  await untilSuggested([{ query: 'tent', popularity: 4 }, teapot])
  const personal = await suggestions({ 'x-user-id': 'bob' })
  assert.equal(personal[0]?.query, 'teapot', 'what this visitor searched for last')

  const rebuilt = await service.call('POST', `${analytics}/rebuild`, undefined, keys)
  assert.equal(rebuilt.status, 200, rebuilt.text)
  // Later events are added to the rebuilt state.
  await searchFor('eve', 'tent')
  await untilSuggested([{ query: 'tent', popularity: 6 }, teapot])
  const again = await suggestions({ 'x-user-id': 'bob' })
  assert.deepEqual(queriesOf(again), queriesOf(personal))

  const path = `${analytics}/visitors?user_id=bob`
  const erased = await service.call('DELETE', path, undefined, keys)
  assert.equal(erased.status, 200, erased.text)
  const left = [{ query: 'tent', popularity: 6 }]
  await untilSuggested(left)
  assert.deepEqual(await suggestions({ 'x-user-id': 'bob' }), left)
})
