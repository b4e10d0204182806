import { readFileSync } from 'node:fs'
import { ConfigError } from './config-options.ts'

/** The cluster of an API node, and which of its indices belong to this installation. */
export interface ClusterConfig {
  readonly urls: readonly string[]
  readonly username: string | undefined
  readonly password: string | undefined
  /** PEM text. */
  readonly caCertificate: string | undefined
  /** Prefix of the names of all indices. */
  readonly prefix: string
  /** Name of the snapshot repository; absent if snapshots are not available. */
  readonly snapshotRepository?: string | undefined
}

/**
 * @param get returns the value of an option @returns undefined for a single process without a
 * cluster
 */
export function readCluster(get: <T>(name: string) => T): ClusterConfig | undefined {
  const text = get<string | undefined>('opensearch_url')
  const username = get<string | undefined>('opensearch_user')
  const password = get<string | undefined>('opensearch_password')
  const caFile = get<string | undefined>('opensearch_ca_file')
  if (text === undefined) {
    if (username !== undefined || password !== undefined || caFile !== undefined) {
      throw new ConfigError('--opensearch-url is missing: the other --opensearch options need it')
    }
    return undefined
  }
  if (password !== undefined && username === undefined) {
    throw new ConfigError('--opensearch-password needs --opensearch-user')
  }
  const prefix = get<string>('opensearch_prefix')
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(prefix)) {
    throw new ConfigError(
      `--opensearch-prefix must be 1 to 32 of a-z, 0-9 and -, beginning with a letter, received "${prefix}"`,
    )
  }
  return {
    urls: text.split(',').map((url) => clusterUrl(url.trim())),
    username,
    password,
    caCertificate: caFile === undefined ? undefined : readCertificate(caFile),
    prefix,
    snapshotRepository: get<string | undefined>('opensearch_snapshots'),
  }
}

function clusterUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ConfigError(
      `--opensearch-url must be addresses such as https://search-1:9200, separated by commas, received "${withoutPassword(text)}"`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      '--opensearch-url must not contain a password: set --opensearch-user and AISLE_OPENSEARCH_PASSWORD',
    )
  }
  return url.href.replace(/\/$/, '')
}

/** Hides the text before an @, which may be a password that was typed into the address. */
function withoutPassword(text: string): string {
  const at = text.lastIndexOf('@')
  return at < 0 ? text : `…${text.slice(at)}`
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `Cannot read the certificate "${path}" of --opensearch-ca-file: ${(error as Error).message}`,
    )
  }
}
