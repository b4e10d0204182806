import { accessConformance } from '../../ports/access.conformance.ts'
import { accessOver } from '../../services/access/access-for-test.ts'
import { createMemoryAccessStore } from './memory-access.ts'

accessConformance('The memory adapter', async () => {
  const ports = accessOver(createMemoryAccessStore())
  return { ...ports, [Symbol.asyncDispose]: () => ports.access.close() }
})
