import { AccessTable } from '../../domain/access/access-table.ts'
import { accessConformance } from '../../ports/access.conformance.ts'
import { AccessControl } from '../../services/access/access-control.ts'
import { createMemoryAccessStore } from './memory-access.ts'

accessConformance('The memory adapter', async () => {
  const store = createMemoryAccessStore()
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
  return {
    access,
    directory,
    audit: store,
    [Symbol.asyncDispose]: () => access.close(),
  }
})
