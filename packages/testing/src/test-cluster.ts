/** The nodes of the cluster that `npm run test:cluster` started for the tests; empty otherwise. */
export const TEST_CLUSTER = (process.env['AISLE_TEST_CLUSTER'] ?? '').split(',').filter(Boolean)

/** Options of a suite that requires the cluster. */
export const NEEDS_CLUSTER =
  TEST_CLUSTER.length === 0 ? { skip: 'NOT RUN: npm run test:cluster starts a cluster' } : {}

/** An index name that no other test uses. */
export function testIndexName(): string {
  return `test-${crypto.randomUUID()}`
}
