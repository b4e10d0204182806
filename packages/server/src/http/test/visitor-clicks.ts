import assert from 'node:assert/strict'
import type { TestApp, TestStore } from './test-app.ts'

/**
 * Clicks of visitors on a document found with a query; each visitor is in a separate network, so
 * the application must trust its proxy.
 */
export async function clickAs(
  app: TestApp,
  store: TestStore,
  visitors: readonly number[],
  {
    id,
    query = 'tent',
    position,
  }: { readonly id: string; readonly query?: string; readonly position?: number | undefined },
): Promise<void> {
  for (const visitor of visitors) {
    const answer = await app.call({
      method: 'POST',
      url: '/analytics/event',
      headers: {
        ...store.read,
        'x-anon-id': `${id}${query}${visitor}`,
        'x-forwarded-for': `10.${visitor}.0.1`,
      },
      body: { event_type: 'click', data: { query, document_id: id, position } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
  }
}
