import { globSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { memoryFolder, REPOSITORY } from '@aisle/testing'
import { Cluster } from './cluster/cluster.ts'
import { RELEASES, type Release } from './cluster/distribution.ts'
import { NoClusterError } from './cluster/java.ts'
import { NOT_ON_A_CLUSTER, routeTests } from './cluster/route-tests.ts'
import { useBundledService } from './lib/bundle-service.ts'
import { oneOf } from './lib/option-values.ts'
import { runTests } from './test-run/run-tests.ts'

/**
 * `npm run test:cluster`: the tests that require an OpenSearch cluster, and those of the routes, on
 * a cluster of three nodes started for them. `-- --release 3` selects the release. If none can be
 * started, this prints a warning and is not a failure: `npm test` has run everything else.
 */
const FILES = ['bench/rivals/opensearch-*.test.ts', 'packages/cluster/src/**/*.test.ts']

/** These start clusters themselves: one after another, so that at most two run at once. */
const OWN_CLUSTERS = ['tools/cluster/*.test.ts']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: 'string', default: '2.19' },
    record: { type: 'boolean', default: false },
  },
})

// OpenSearch waits for the disk at each write and each change of an index, on every node.
const folder = memoryFolder('aisle-cluster-tests-')
process.env['TMPDIR'] = folder
try {
  await useBundledService()
  const release = oneOf('release', values.release, Object.keys(RELEASES) as Release[])
  await using cluster = await Cluster.start({ release })
  console.log(`OpenSearch ${RELEASES[release].version} at ${cluster.urls.join(', ')}`)
  const named = (patterns: readonly string[]) => globSync(patterns, { cwd: REPOSITORY })
  const together = positionals.length > 0 ? [] : named(OWN_CLUSTERS)
  const files = positionals.length > 0 ? positionals : [...FILES, ...routeTests(), ...OWN_CLUSTERS]
  const isGood = await runTests(named(files), {
    surroundings: 'cluster',
    together,
    isRecorded: values.record,
    environment: {
      AISLE_TEST_CLUSTER: cluster.urls.join(','),
      AISLE_TEST_CLUSTER_RELEASE: release,
    },
  })
  process.exitCode = isGood ? 0 : 1
  for (const [name, why] of Object.entries(NOT_ON_A_CLUSTER)) {
    console.log(`NOT RUN ON A CLUSTER: tests of ${name}: ${why}`)
  }
} catch (error) {
  if (error instanceof NoClusterError) console.log(`\nCLUSTER TESTS NOT RUN: ${error.message}\n`)
  else throw error
} finally {
  rmSync(folder, { recursive: true, force: true })
}
