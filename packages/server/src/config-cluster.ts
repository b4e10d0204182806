import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ConfigError } from './config-options.ts'
import { isLoopback } from './domain/access/network.ts'

/** The cluster of an API node, and which of its indices belong to this installation. */
export interface ClusterConfig {
  readonly urls: readonly string[]
  readonly username: string | undefined
  readonly password: string | undefined
  /** PEM text. */
  readonly caCertificate: string | undefined
  /** Prefix of the names of all indices. */
  readonly prefix: string
  /**
   * Keys of the secrets in the control index: the first one encrypts, each decrypts; `plain` is no
   * encryption. Empty: nothing is encrypted.
   */
  readonly secretsKeys?: readonly (Buffer | 'plain')[]
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
  const keyFile = get<string | undefined>('secrets_key_file')
  if (text === undefined) {
    if (username !== undefined || password !== undefined || caFile !== undefined) {
      throw new ConfigError('--opensearch-url is missing: the other --opensearch options need it')
    }
    if (keyFile !== undefined) {
      throw new ConfigError(
        '--secrets-key-file is for a cluster: it needs --opensearch-url. On one machine, secrets are in the data folder',
      )
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
  const urls = text.split(',').map((url) => clusterUrl(url.trim()))
  const open = urls.find((url) => isReadable(url))
  if (username !== undefined && open !== undefined && get('opensearch_allow_http') !== true) {
    throw new ConfigError(
      `--opensearch-url must begin with https, because every request carries the password of --opensearch-user, received "${open}". --opensearch-allow-http true sends it unencrypted, for a network that nobody else can read`,
    )
  }
  return {
    urls,
    username,
    password,
    caCertificate: caFile === undefined ? undefined : readCertificate(caFile),
    prefix,
    snapshotRepository: get<string | undefined>('opensearch_snapshots'),
    ...(keyFile === undefined ? {} : { secretsKeys: readSecretsKeys(keyFile) }),
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

/** Whether others can read what is sent there. */
function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const address = hostname.replace(/^\[|\]$/g, '')
  // A name such as 127.example.com is not an address.
  const isHere = hostname === 'localhost' || (isIP(address) !== 0 && isLoopback(address))
  return protocol === 'http:' && !isHere
}

const SECRETS_KEY_BYTES = 32
/** The current one and the one before. */
const SECRETS_KEYS_MAX = 2

/** One key per line; empty lines and lines that start with # do not count. */
function readSecretsKeys(path: string): (Buffer | 'plain')[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(
      `Cannot read the file "${path}" of --secrets-key-file: ${(error as Error).message}`,
    )
  }
  const lines = text.split('\n').map((line) => line.trim())
  const given = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const keys = given.map((line) => (line === 'plain' ? line : Buffer.from(line, 'base64')))
  // Buffer.from ignores what is not base64, so the text is compared.
  const isKey = (key: Buffer | 'plain', at: number): boolean =>
    key === 'plain' || (key.length === SECRETS_KEY_BYTES && key.toString('base64') === given[at])
  const isUnique = new Set(given).size === given.length
  const hasKey = keys.some((key) => key !== 'plain')
  if (keys.every(isKey) && isUnique && hasKey && keys.length <= SECRETS_KEYS_MAX) return keys
  throw new ConfigError(
    `The file "${path}" of --secrets-key-file must have one key per line, of \`openssl rand -base64 32\`: the current one first, and at most one more, or \`plain\``,
  )
}
