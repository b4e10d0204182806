import {
  ADMIN_TOKEN_MIN_CHARS,
  AUDIT_DAYS_DEFAULT,
  CACHE_DEFAULT_MEGABYTES,
  CONNECTIONS_PER_ADDRESS_DEFAULT,
  PAGE_RATE_LIMIT_DEFAULT_PER_SECOND,
  RATE_LIMIT_DEFAULT_PER_SECOND,
  SEARCH_TIMEOUT_DEFAULT_MS,
  SEARCH_TIMEOUT_MAX_MS,
  SMALL_STORES_DEFAULT_MEGABYTES,
  UNREAD_ANSWERS_DEFAULT_MEGABYTES,
} from '@aisle/contract/limits'

/**
 * Defines every option of the service. Flags, `AISLE_…` variables, the keys of the configuration
 * file, `--help` and the table in docs/operating.md are generated from it; a test compares the
 * page.
 */
export const OPTIONS = [
  {
    name: 'host',
    kind: 'text',
    fallback: '127.0.0.1',
    help: 'Address to listen on. `0.0.0.0` = every interface: only behind a firewall or a proxy with TLS.',
  },
  {
    name: 'port',
    kind: 'whole',
    fallback: 7_700,
    min: 0,
    max: 65_535,
    help: 'Port to listen on; 0 = any free port.',
  },
  {
    name: 'data_dir',
    kind: 'text',
    fallback: './data',
    help: 'Data folder. Needs a local disk; one process at a time.',
  },
  {
    name: 'admin_token',
    kind: 'text',
    secret: true,
    minChars: ADMIN_TOKEN_MIN_CHARS,
    help: 'Token of the admin routes, at least 32 characters, such as the output of `openssl rand -base64 32`. If unset, a token is generated and printed once; it stays valid until another token is set here or generated.',
  },
  {
    name: 'threads',
    kind: 'whole',
    min: 1,
    max: 256,
    fallbackText: 'processor cores',
    help: 'Number of serving threads; each accepts connections and searches. Writing and merging run on other threads.',
  },
  {
    name: 'demo',
    kind: 'switch',
    fallback: true,
    help: 'Loads the demo shop if the data folder is empty.',
  },
  {
    name: 'rate_limit',
    kind: 'whole',
    fallback: RATE_LIMIT_DEFAULT_PER_SECOND,
    min: 0,
    max: 1_000_000,
    unit: 'requests per second',
    help: 'Limit per client address and store, with bursts of twice the limit; 0 = no limit.',
  },
  {
    name: 'page_rate_limit',
    kind: 'whole',
    fallback: PAGE_RATE_LIMIT_DEFAULT_PER_SECOND,
    min: 0,
    max: 1_000_000,
    unit: 'requests per second',
    help: 'Limit per client address for requests without a valid key: pages of the dashboard, docs and demo shop, `/openapi.json`, paths that do not exist, wrong keys; with bursts of twice the limit. Health checks above it are delayed, never refused. 0 = no limit.',
  },
  {
    name: 'connections_per_address',
    kind: 'whole',
    fallback: CONNECTIONS_PER_ADDRESS_DEFAULT,
    min: 0,
    max: 1_000_000,
    unit: 'connections',
    help: 'Maximum number of open connections per address (IPv6: per /64 network), across all threads; further ones are closed immediately. 0 = no limit. A proxy counts as one address: raise the limit for it.',
  },
  {
    name: 'search_timeout_max_ms',
    kind: 'whole',
    fallback: SEARCH_TIMEOUT_DEFAULT_MS,
    min: 10,
    max: SEARCH_TIMEOUT_MAX_MS,
    unit: 'milliseconds',
    help: 'Maximum value of `search_timeout_ms`; larger values are reduced, with a warning.',
  },
  {
    name: 'cache_megabytes',
    kind: 'whole',
    fallback: CACHE_DEFAULT_MEGABYTES,
    min: 0,
    max: 1_000_000,
    unit: 'megabytes',
    help: 'Size of the cache for `cache_results`, all stores together; 0 = no cache. A setting of each store limits its share.',
  },
  {
    name: 'unread_answers_megabytes',
    kind: 'whole',
    fallback: UNREAD_ANSWERS_DEFAULT_MEGABYTES,
    min: 128,
    max: 1_000_000,
    unit: 'megabytes',
    help: 'Memory for large responses (over 64 kB) that clients have not finished reading, across all threads; one store may use half of it. Beyond it, large responses get 503 `unread_answers`.',
  },
  {
    name: 'small_stores_megabytes',
    kind: 'whole',
    fallback: SMALL_STORES_DEFAULT_MEGABYTES,
    min: 0,
    max: 1_000_000,
    unit: 'megabytes',
    help: 'Memory for the indexes of small stores (up to 10,000 documents). Beyond it, the least recently used indexes are closed; the next search or write opens them within milliseconds.',
  },
  {
    name: 'ingest_aliases',
    kind: 'switch',
    fallback: false,
    help: 'Also accepts events on the built-in paths of the Segment, RudderStack and Jitsu clients (`/v1/batch`, `/v1/track`, `/beacon/v1/batch`, `/api/s/track` …).',
  },
  {
    name: 'mcp',
    kind: 'switch',
    fallback: false,
    help: 'Offers the tools of a store to assistants at `POST /mcp` (Model Context Protocol), with the secrets of the caller.',
  },
  {
    name: 'embedders_file',
    kind: 'text',
    fallbackText: 'none',
    help: 'JSON file with the language models that turn texts into vectors for searches by meaning, and their keys; `aisle embedder add` writes it (docs/semantic.md).',
  },
  {
    name: 'reports_memory_mb',
    kind: 'whole',
    fallback: 256,
    min: 64,
    max: 1_000_000,
    unit: 'MB',
    help: 'Memory of the reporting database; larger reports use the disk.',
  },
  {
    name: 'metrics_stores',
    kind: 'switch',
    fallback: false,
    help: 'Labels metrics with store ids (the first 100; the rest are `other`); otherwise the label is `all`.',
  },
  {
    name: 'dashboard_image_hosts',
    kind: 'text',
    fallbackText: 'none',
    help: 'Hosts that the dashboard may load product pictures from, separated by commas: `images.example.com, *.example.net`. Only https, except for localhost: `http://localhost:9000`.',
  },
  {
    name: 'source_networks',
    kind: 'text',
    fallbackText: 'none',
    help: 'Addresses and networks that sources may reach besides public ones, separated by commas: `10.1.0.0/16, 192.168.1.20`.',
  },
  {
    name: 'smtp_url',
    kind: 'text',
    fallbackText: 'none: no e-mail',
    help: 'Mail server that sends the alerts of sources: `smtp://mail.example.com:587`, or `smtps://mail.example.com:465` for TLS from the first byte.',
  },
  {
    name: 'smtp_user',
    kind: 'text',
    fallbackText: 'none',
    help: 'User name for the mail server. It is sent only over TLS, except to the same machine.',
  },
  {
    name: 'smtp_password',
    kind: 'text',
    secret: true,
    fallbackText: 'none',
    help: 'Password of this user. Prefer the variable: others can see the flags of a process.',
  },
  {
    name: 'smtp_from',
    kind: 'text',
    fallbackText: 'none',
    help: 'Address that e-mails come from: `aisle@example.com`. Required with `--smtp-url`.',
  },
  {
    name: 'public_url',
    kind: 'text',
    fallbackText: 'none: no links',
    help: 'Address of the dashboard for links in e-mails: `https://search.example.com`.',
  },
  {
    name: 'log_level',
    kind: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    fallback: 'info',
    help: 'Level of the log on standard output.',
  },
  {
    name: 'log_format',
    kind: 'choice',
    choices: ['pretty', 'json'],
    fallbackText: 'pretty on a terminal, else json',
    help: '`pretty` is for people, `json` for programs (one object per line).',
  },
  {
    name: 'drain_seconds',
    kind: 'whole',
    fallback: 20,
    min: 0,
    max: 3_600,
    unit: 'seconds',
    help: 'Time for requests in flight to finish after SIGTERM or SIGINT.',
  },
  {
    name: 'trust_proxy',
    kind: 'text',
    fallback: 'false',
    help: 'Proxies whose `X-Forwarded-For` is trusted: `false`, `true`, or addresses and networks, separated by commas.',
  },
  {
    name: 'check',
    kind: 'choice',
    choices: ['quick', 'full'],
    fallback: 'quick',
    help: '`full` reads every stored row before serving (about 2 s per million documents). Use it after disk problems.',
  },
  {
    name: 'snapshot_dir',
    kind: 'text',
    fallbackText: 'snapshots in the data folder',
    help: 'Folder of snapshots, preferably on another disk than the data folder.',
  },
  {
    name: 'snapshot_every_hours',
    kind: 'whole',
    fallback: 0,
    min: 0,
    max: 8_760,
    unit: 'hours',
    help: 'Creates a snapshot whenever the newest one is older than this; 0 = only on request.',
  },
  {
    name: 'snapshot_keep',
    kind: 'whole',
    fallback: 7,
    min: 0,
    max: 10_000,
    unit: 'snapshots',
    help: 'Number of snapshots to keep; older ones are deleted after each new one. 0 = keep all.',
  },
  {
    name: 'disk_reserve',
    kind: 'whole',
    fallbackText: '1000, or 5 % of the disk if that is less',
    min: 0,
    max: 1_000_000_000,
    unit: 'megabytes',
    help: 'Disk space to keep free: documents, events and snapshots that would use it get 507 `disk_reserve`, while searches, reads and deletes continue to work. 0 = none.',
  },
  {
    name: 'audit_days',
    kind: 'whole',
    fallback: AUDIT_DAYS_DEFAULT,
    min: 1,
    max: 3_650,
    unit: 'days',
    help: 'Entries of the audit log older than this are deleted.',
  },
  {
    name: 'opensearch_url',
    kind: 'text',
    fallbackText: 'none',
    help: 'Addresses of an OpenSearch cluster (2.19 or 3), separated by commas: `https://search-1:9200,https://search-2:9200`. Makes this process an API node of the cluster, without a data folder; see docs/cluster.md.',
  },
  {
    name: 'opensearch_user',
    kind: 'text',
    fallbackText: 'none',
    help: 'User name for the cluster.',
  },
  {
    name: 'opensearch_password',
    kind: 'text',
    secret: true,
    fallbackText: 'none',
    help: 'Password of this user. Prefer the variable: others can see the flags of a process.',
  },
  {
    name: 'opensearch_ca_file',
    kind: 'text',
    fallbackText: 'the authorities Node trusts',
    help: 'PEM file of the authority that signed the certificates of the cluster.',
  },
  {
    name: 'opensearch_allow_http',
    kind: 'switch',
    fallback: false,
    help: 'Allows `--opensearch-user` with addresses that begin with `http`: user name and password are sent unencrypted. Addresses of the same machine need no permission.',
  },
  {
    name: 'secrets_key_file',
    kind: 'text',
    fallbackText: 'none: not encrypted',
    help: 'File with the key that the nodes of a cluster use to encrypt the secrets of the installation; the same for all nodes (docs/cluster.md).',
  },
  {
    name: 'opensearch_prefix',
    kind: 'text',
    fallback: 'aisle',
    help: 'Prefix of the names of all indices of this installation, so that several installations can share a cluster.',
  },
  {
    name: 'opensearch_snapshots',
    kind: 'text',
    fallbackText: 'none',
    help: 'Name of the snapshot repository of the cluster; without it, snapshots are not available.',
  },
  {
    name: 'config',
    kind: 'text',
    help: 'A JSON file with any of these options, by name: `{"port": 8080}`. Variables and flags override it.',
  },
] as const satisfies readonly OptionSpec[]

export interface OptionSpec {
  /** Snake case: `--data-dir`, `AISLE_DATA_DIR`, `"data_dir"`. */
  readonly name: string
  readonly kind: 'text' | 'whole' | 'switch' | 'choice'
  readonly fallback?: string | number | boolean
  readonly fallbackText?: string
  readonly min?: number
  readonly max?: number
  readonly unit?: string
  readonly choices?: readonly string[]
  /** Minimum length of a text. */
  readonly minChars?: number
  readonly secret?: boolean
  readonly help: string
}

/** Returns the text of `--help`. @param usage the words before the options */
export function helpText(usage: string): string {
  const lines = (OPTIONS as readonly OptionSpec[]).flatMap((option) => [
    `  --${flagOf(option.name)} <${valueText(option)}>`,
    `      ${option.help.replaceAll('`', '')}`,
    `      ${variableOf(option.name)}${defaultText(option) === '' ? '' : `, default ${defaultText(option)}`}`,
  ])
  return [`Usage: ${usage} [options]`, '', ...lines, '  --help', '      Show this help.', ''].join(
    '\n',
  )
}

/** Returns the table of docs/operating.md. */
export function optionsTable(): string {
  const rows = (OPTIONS as readonly OptionSpec[]).map((option) => {
    const fallback = defaultText(option)
    return `| \`--${flagOf(option.name)}\` | \`${variableOf(option.name)}\` | ${valueText(option).replaceAll('|', ', ')} | ${fallback === '' ? '' : `\`${fallback}\``} | ${option.help} |`
  })
  return ['| flag | variable | value | default | |', '|---|---|---|---|---|', ...rows].join('\n')
}

export function flagOf(name: string): string {
  return name.replaceAll('_', '-')
}

export function variableOf(name: string): string {
  return `AISLE_${name.toUpperCase()}`
}

function valueText(option: OptionSpec): string {
  if (option.unit !== undefined) return option.unit
  if (option.kind === 'switch') return 'true|false'
  if (option.kind === 'choice') return option.choices?.join('|') ?? ''
  return option.kind === 'whole' ? 'number' : 'text'
}

function defaultText(option: OptionSpec): string {
  return option.fallbackText ?? (option.fallback === undefined ? '' : String(option.fallback))
}

/** Thrown for invalid options; the message is one line for the person who starts the service. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
