/** Code shared by tests, tools and benchmarks. Shipped code imports nothing from it. */
export { EMPTY_PLAN, plainSlot } from './empty-plan.ts'
export { eventBatch, sendEvents } from './event-batch.ts'
export { FakeSmtp, type ReceivedMail } from './fake-smtp.ts'
export { freePort } from './free-port.ts'
export { generatedRuns } from './generated-runs.ts'
export { superlinear } from './growth.ts'
export { HttpClient } from './http-client.ts'
export type { HttpAnswer, HttpRequest } from './http-client.ts'
export { memoryFolder } from './memory-folder.ts'
export { REPOSITORY } from './repository.ts'
export { SeededRandom, seededIntegers, seededRandom } from './random.ts'
export { COMPILED_CODE, ServerProcess, serviceEntry } from './server-process.ts'
export {
  CLUSTER_HAS_SCRIPTS,
  HAS_VECTORS,
  NEEDS_CLUSTER,
  NEEDS_SCRIPTS,
  TEST_CLUSTER,
  testIndexName,
} from './test-cluster.ts'
export { readHeaders, searchRequest, ThinClient, writeHeaders } from './thin-client.ts'
export type { StoreKeys } from './thin-client.ts'
export { stays, until } from './until.ts'
export { losingFirstAnswer } from './losing-proxy.ts'
export { FakeShopify } from './shops/fake-shopify.ts'
export { FakeWooCommerce } from './shops/fake-woocommerce.ts'
