/**
 * The package that `--opensearch-url` needs is not installed. The message is one line that says
 * what to do.
 */
export class NoClusterError extends Error {
  override readonly name = 'NoClusterError'
}

/**
 * Loads the code of a cluster. Only this does so, because a single machine needs none of it.
 *
 * @throws NoClusterError
 */
export async function loadCluster() {
  try {
    return await import('@aisle/cluster')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${CLIENT}'`)
    if (!isMissing) throw error
    throw new NoClusterError(
      `--opensearch-url needs the package ${CLIENT}, which is not installed: run npm install --include=optional`,
      { cause: error },
    )
  }
}

/** An optional dependency: an installation may leave it out. */
const CLIENT = '@opensearch-project/opensearch'
