/** The nodes of the cluster that `npm run test:cluster` started for the tests; empty without it. */
export const TEST_CLUSTER = (process.env['AISLE_TEST_CLUSTER'] ?? '').split(',').filter(Boolean)

/** Options of a suite that needs it. */
export const NEEDS_CLUSTER =
  TEST_CLUSTER.length === 0 ? { skip: 'NOT RUN: npm run test:cluster starts a cluster' } : {}

/** A name for an index that no other test uses. */
export function testIndexName(): string {
  return `test-${crypto.randomUUID()}`
}
