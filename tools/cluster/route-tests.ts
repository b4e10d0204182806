import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

const SNAPSHOTS =
  'they need a repository, which stores/snapshots.test.ts registers to test the port there'
const SOCKETS = 'what they do with sockets does not depend on what stores the documents'
const PAGES = 'its pages do not depend on what stores the documents'

/**
 * Tests of routes that do not run on a cluster, with the reasons: all legitimate differences and
 * open issues are listed here, and `npm run test:cluster` prints them.
 */
export const NOT_ON_A_CLUSTER: Readonly<Record<string, string>> = {
  'connection-limit': SOCKETS,
  dashboard: PAGES,
  docs: PAGES,
  'plugin-order': SOCKETS,
  'slow-peers': SOCKETS,
  snapshots: SNAPSHOTS,
  'restored-resources': SNAPSHOTS,
}

/** Documented examples, run unchanged. */
const DOCUMENTED = ['client-page', 'documented', 'example-pages', 'explain-page', 'rules-page']

/** Test files that start the application in the way `npm run test:cluster` requires. */
export function routeTests(): string[] {
  const documented = DOCUMENTED.map((name) => `tools/${name}.test.ts`)
  return [
    ...globSync('packages/server/src/http/test/*.test.ts', { cwd: REPOSITORY }),
    ...documented,
  ]
    .filter((file) => NOT_ON_A_CLUSTER[basename(file, '.test.ts')] === undefined)
    .toSorted()
}
