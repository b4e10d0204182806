/** The nodes of the cluster that `npm run test:cluster` started for the tests; empty otherwise. */
export const TEST_CLUSTER = (process.env['AISLE_TEST_CLUSTER'] ?? '').split(',').filter(Boolean)

/** Options of a suite that requires the cluster. */
export const NEEDS_CLUSTER =
  TEST_CLUSTER.length === 0 ? { skip: 'NOT RUN: npm run test:cluster starts a cluster' } : {}

/** Whether the nodes of that cluster run scripts, as those of every distribution do. */
export const CLUSTER_HAS_SCRIPTS = process.env['AISLE_TEST_CLUSTER_RELEASE'] === '3'

/** Whether stores of the tests can compare vectors. */
export const HAS_VECTORS = TEST_CLUSTER.length === 0 || CLUSTER_HAS_SCRIPTS

/** Options of a suite that compares vectors on a cluster. */
export const NEEDS_SCRIPTS =
  TEST_CLUSTER.length > 0 && !CLUSTER_HAS_SCRIPTS
    ? {
        skip: 'NOT RUN: this release has its scripts not on Maven; npm run test:cluster -- --release 3',
      }
    : NEEDS_CLUSTER

/** An index name that no other test uses. */
export function testIndexName(): string {
  return `test-${crypto.randomUUID()}`
}
