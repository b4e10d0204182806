/** What tests, tools and benchmarks share. Shipped code imports nothing of it. */
export { EMPTY_PLAN, plainSlot } from './empty-plan.ts'
export { eventBatch, sendEvents } from './event-batch.ts'
export { freePort } from './free-port.ts'
export { HttpClient } from './http-client.ts'
export type { HttpAnswer, HttpRequest } from './http-client.ts'
export { REPOSITORY } from './repository.ts'
export { SeededRandom, seededIntegers, seededRandom } from './random.ts'
export { COMPILED_CODE, ServerProcess } from './server-process.ts'
export { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName } from './test-cluster.ts'
export {
  readHeaders,
  RefusedError,
  searchRequest,
  ThinClient,
  writeHeaders,
} from './thin-client.ts'
export type { BulkAnswer, StoreKeys } from './thin-client.ts'
export { stays, until } from './until.ts'
