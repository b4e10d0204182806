import assert from 'node:assert/strict'
import type { SearchOutcome } from '@aisle/engine'
import type { CatalogName } from '@aisle/suggestions'
import { createMemoryAccessStore } from '../../adapters/memory/memory-access.ts'
import { createMemoryCatalog, type MemoryCatalog } from '../../adapters/memory/memory-catalog.ts'
import { createMemoryEventLog } from '../../adapters/memory/memory-event-log.ts'
import { createMemoryReports } from '../../adapters/memory/memory-reports.ts'
import { createMemorySnapshots } from '../../adapters/memory/memory-snapshots.ts'
import { createMemorySuggestions } from '../../adapters/memory/memory-suggestions.ts'
import { createStreamSlots, SharedStreamSlots } from '../../adapters/shared-memory/stream-slots.ts'
import { AccessTable } from '../../domain/access/access-table.ts'
import { digestOf } from '../../domain/access/store-keys.ts'
import { namesOf, planNames } from '../../domain/suggestions/catalog-names.ts'
import type { Clock } from '../../ports/clock.ts'
import { AccessControl } from '../../services/access/access-control.ts'
import { cardOf } from '../../services/suggestions/product-cards.ts'
import { spellQueries } from '../../services/search/spell-queries.ts'
import { ActivityBook } from '../../threads/activity-book.ts'
import { ADMIN_TOKEN, CHEAP_PASSWORDS, type TestBackend } from './test-backend.ts'

const FIRST_RUN_SECRET = 'fr_first-run-secret-of-the-tests'

/** Everything on maps: nothing has to be waited for. */
export function openMemoryBackend(clock: Clock): Promise<TestBackend> {
  const events = createMemoryEventLog(() => clock.now())
  const catalog = createMemoryCatalog({ clock })
  const accessStore = createMemoryAccessStore()
  const directory = new AccessTable()
  const access = new AccessControl({
    store: accessStore,
    firstRunDigest: digestOf(FIRST_RUN_SECRET),
    clock,
    publish: (change) => directory.apply(change),
    auditDays: 400,
    adminToken: { digest: digestOf(ADMIN_TOKEN), save: async () => undefined },
    deviceKey: 'key of the tests',
    passwordCost: CHEAP_PASSWORDS,
  })
  return Promise.resolve({
    access,
    directory,
    firstRunSecret: FIRST_RUN_SECRET,
    ports: {
      ...catalog,
      access,
      activity: new ActivityBook(clock, () => []),
      directory,
      audit: accessStore,
      snapshots: createMemorySnapshots(catalog.registry, clock),
      clock,
      events,
      slots: new SharedStreamSlots(createStreamSlots(1), 0),
      suggestions: createMemorySuggestions({
        events,
        clock,
        analyzerOf: ({ storeId }) => catalog.backend.view(storeId)!.analyzer,
        namesOf: ({ storeId }) => namesIn(catalog, storeId),
        spell: ({ storeId }, texts) => spellQueries(catalog.backend, storeId, texts),
        contentOf: ({ storeId }) => catalog.backend.view(storeId)!.content,
        docKeyOf: ({ storeId }, id) => {
          const found = catalog.backend.view(storeId)!.matchingKeys({ kind: 'ids', ids: [id] })
          assert.ok(!(found instanceof Promise), 'in memory')
          return found[0]
        },
      }),
      reports: createMemoryReports(events),
      addressKey: 'key of the tests',
      health: () => ({ ok: true, starting: [] }),
      version: '0.0.0',
    },
    stored: (storeId) =>
      Promise.resolve(events.placed(catalog.registry.find(storeId)!).map(({ entry }) => entry)),
    follow: () => Promise.resolve(),
    close: () => Promise.resolve(),
  })
}

/** Brands and categories. */
function namesIn(catalog: MemoryCatalog, storeId: string): CatalogName[] {
  const view = catalog.backend.view(storeId)!
  const { schema, analyzer, search } = view
  if (schema === undefined) return []
  const card = cardOf(view)
  const plan = planNames(card, { schema, analyzer, nowMs: performance.now() })
  return plan === undefined ? [] : namesOf(search(plan) as SearchOutcome)
}
