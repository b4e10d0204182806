import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { REPOSITORY } from '@aisle/testing'

const SOCKETS = 'what they do with sockets does not depend on what stores the documents'

/**
 * The tests of routes that do not run on a cluster, and why. All that legitimately differs there,
 * and all that is open, is here: `npm run test:cluster` prints it.
 */
export const NOT_ON_A_CLUSTER: Readonly<Record<string, string>> = {
  'connection-limit': SOCKETS,
  dashboard: 'its pages do not depend on what stores the documents',
  'plugin-order': SOCKETS,
  'slow-peers': SOCKETS,
  snapshots:
    'they need a repository, which stores/snapshots.test.ts registers to test the port there',
}

/** What the documentation shows, run as it stands there. */
const DOCUMENTED = ['client-page', 'documented', 'example-pages', 'explain-page', 'rules-page']

/** The files of tests that start the application as `npm run test:cluster` wants it. */
export function routeTests(): string[] {
  const documented = DOCUMENTED.map((name) => `tools/${name}.test.ts`)
  return [
    ...globSync('packages/server/src/http/test/*.test.ts', { cwd: REPOSITORY }),
    ...documented,
  ]
    .filter((file) => NOT_ON_A_CLUSTER[basename(file, '.test.ts')] === undefined)
    .toSorted()
}
