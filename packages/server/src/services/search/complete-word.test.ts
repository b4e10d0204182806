import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { planSearch } from '../../domain/plan/plan-search.ts'
import { upsert } from '../../ports/catalog/catalog-fixture.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { completeWord } from './complete-word.ts'
import { planContext } from './plan-context.ts'

test('a rare word whose spelling there was no time to check completes nothing', async () => {
  await using catalog = await openEmbeddedCatalog(undefined, { clock: { now: () => 0 } })
  await catalog.writer.createStore({ name: 'Shop', id: 'shop' })
  const fields = checkSchemaFields([{ name: 'title', type: 'string', searchable: true }])
  await catalog.writer.changeSchema('shop', 'additive', fields)
  const titles = [...Array.from({ length: 30 }, () => 'foam mattress'), 'spring matress']
  await catalog.writer.writeDocuments(
    'shop',
    titles.map((title, i) => upsert(`d${i}`, JSON.stringify({ title }))),
  )
  const view = catalog.backend.view('shop')!
  const late: SearchView = {
    ...view,
    analyzer: view.analyzer,
    complete: (plan, request) => view.complete(plan, request),
    docCount: () => view.docCount(),
    search: async (plan) => ({ ...(await view.search(plan)), cutoff: true }),
  }
  const { plan } = planSearch(
    { q: '*', per_page: 0 },
    planContext(view, {}, { startMs: performance.now(), timeoutMaxMs: 60_000 }, 0),
  )
  const unfinished = { before: 'spring', words: [['spring']], prefix: 'mat', limit: 5 }
  for (const one of [late, view]) {
    const { completions } = await completeWord(one, plan, unfinished)
    assert.deepEqual(completions, [])
  }
})
