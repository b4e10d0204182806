import { AccessTable } from '../../domain/access/access-table.ts'
import type { AccessStore } from '../../ports/access/access-store.ts'
import { AccessControl } from './access-control.ts'

/** Access control over a store of a test, at second 1, with passwords that are cheap to check. */
export function accessOver(store: AccessStore) {
  const directory = new AccessTable()
  const access = new AccessControl({
    store,
    clock: { now: () => 1_000 },
    publish: (change) => directory.apply(change),
    auditDays: 400,
    adminToken: { digest: '', save: async () => undefined },
    deviceKey: 'key of the tests',
    passwordCost: { memoryKib: 8, passes: 1, parallelism: 1 },
  })
  return { access, directory, audit: store }
}
