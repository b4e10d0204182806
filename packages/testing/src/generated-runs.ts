import { TEST_CLUSTER } from './test-cluster.ts'

/** On a cluster each generated life takes a second. */
const ON_A_CLUSTER_MAX = 10

/**
 * Number of generated cases of a test that also runs on a cluster: `FUZZ_RUNS`, if it is set.
 *
 * @param usual otherwise; fewer on a cluster
 */
export function generatedRuns(usual: number): number {
  const asked = process.env['FUZZ_RUNS']
  if (asked !== undefined) return Number(asked)
  return TEST_CLUSTER.length === 0 ? usual : Math.min(usual, ON_A_CLUSTER_MAX)
}
