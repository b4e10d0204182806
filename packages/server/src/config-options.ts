import {
  ADMIN_TOKEN_MIN_CHARS,
  AUDIT_DAYS_DEFAULT,
  CACHE_DEFAULT_MEGABYTES,
  CONNECTIONS_PER_ADDRESS_DEFAULT,
  RATE_LIMIT_DEFAULT_PER_SECOND,
  SEARCH_TIMEOUT_DEFAULT_MS,
  SEARCH_TIMEOUT_MAX_MS,
} from '@aisle/contract/limits'

/**
 * Every option of the service, once. Flags, `AISLE_…` variables, the keys of the configuration file,
 * `--help` and the table in docs/operating.md come from here; a test keeps the page equal.
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
    help: 'Port to listen on; 0 = any free one.',
  },
  {
    name: 'data_dir',
    kind: 'text',
    fallback: './data',
    help: 'Folder of everything the service keeps. A local disk; one process at a time.',
  },
  {
    name: 'admin_token',
    kind: 'text',
    secret: true,
    minChars: ADMIN_TOKEN_MIN_CHARS,
    help: 'Token of the admin routes, 32 characters at least, such as `openssl rand -base64 32` makes. When unset, one is made and printed once; it goes on working on later starts, until another one is set here or made.',
  },
  {
    name: 'threads',
    kind: 'whole',
    min: 1,
    max: 256,
    fallbackText: 'processor cores',
    help: 'Serving threads: each takes connections and searches. Writing and merging have threads of their own.',
  },
  {
    name: 'demo',
    kind: 'switch',
    fallback: true,
    help: 'Loads the demo shop when the data folder is empty.',
  },
  {
    name: 'rate_limit',
    kind: 'whole',
    fallback: RATE_LIMIT_DEFAULT_PER_SECOND,
    min: 0,
    max: 1_000_000,
    unit: 'requests per second',
    help: 'Of one client address in one store; twice that at once; 0 = no limit.',
  },
  {
    name: 'connections_per_address',
    kind: 'whole',
    fallback: CONNECTIONS_PER_ADDRESS_DEFAULT,
    min: 0,
    max: 1_000_000,
    unit: 'connections',
    help: 'Open at the same time from one address (IPv6: one /64 network), over all threads; a further one is closed at once. 0 = no limit. A proxy is one address: give it more.',
  },
  {
    name: 'search_timeout_max_ms',
    kind: 'whole',
    fallback: SEARCH_TIMEOUT_DEFAULT_MS,
    min: 10,
    max: SEARCH_TIMEOUT_MAX_MS,
    unit: 'milliseconds',
    help: 'What `search_timeout_ms` may be at most; larger values are cut, with a warning.',
  },
  {
    name: 'cache_megabytes',
    kind: 'whole',
    fallback: CACHE_DEFAULT_MEGABYTES,
    min: 0,
    max: 1_000_000,
    unit: 'megabytes',
    help: 'Of answers that are kept for `cache_results`, all stores together; 0 = none. What one store may keep is a setting of its own.',
  },
  {
    name: 'ingest_aliases',
    kind: 'switch',
    fallback: false,
    help: 'Takes events on the paths that the clients of Segment, RudderStack and Jitsu have built in too (`/v1/batch`, `/v1/track`, `/beacon/v1/batch`, `/api/s/track` …).',
  },
  {
    name: 'reports_memory_mb',
    kind: 'whole',
    fallback: 256,
    min: 64,
    max: 1_000_000,
    unit: 'MB',
    help: 'Memory of the database that reports are made with; what needs more uses the disk.',
  },
  {
    name: 'metrics_stores',
    kind: 'switch',
    fallback: false,
    help: 'Metrics name stores (the first 100; the rest are `other`); otherwise all are one, `all`.',
  },
  {
    name: 'log_level',
    kind: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    fallback: 'info',
    help: 'How much is logged, on the standard output.',
  },
  {
    name: 'log_format',
    kind: 'choice',
    choices: ['pretty', 'json'],
    fallbackText: 'pretty on a terminal, else json',
    help: '`pretty` is for people to read, `json` one object a line for programs.',
  },
  {
    name: 'drain_seconds',
    kind: 'whole',
    fallback: 20,
    min: 0,
    max: 3_600,
    unit: 'seconds',
    help: 'How long requests in flight may take to finish after SIGTERM or SIGINT.',
  },
  {
    name: 'trust_proxy',
    kind: 'text',
    fallback: 'false',
    help: 'Whose `X-Forwarded-For` is believed: `false`, `true`, or addresses and networks, separated by commas.',
  },
  {
    name: 'check',
    kind: 'choice',
    choices: ['quick', 'full'],
    fallback: 'quick',
    help: '`full` reads every stored row before serving (about 2 s per million documents): after trouble with a disk.',
  },
  {
    name: 'snapshot_dir',
    kind: 'text',
    fallbackText: 'snapshots in the data folder',
    help: 'Where snapshots go. Better another disk than the one of the data folder.',
  },
  {
    name: 'snapshot_every_hours',
    kind: 'whole',
    fallback: 0,
    min: 0,
    max: 8_760,
    unit: 'hours',
    help: 'Makes a snapshot whenever the newest is older than this; 0 = only when asked to.',
  },
  {
    name: 'snapshot_keep',
    kind: 'whole',
    fallback: 7,
    min: 0,
    max: 10_000,
    unit: 'snapshots',
    help: 'After a snapshot was made, older ones beyond this number are deleted; 0 = none ever.',
  },
  {
    name: 'disk_reserve',
    kind: 'whole',
    fallbackText: '1000, or 5 % of the disk if that is less',
    min: 0,
    max: 1_000_000_000,
    unit: 'megabytes',
    help: 'Free disk that documents, events and snapshots may not touch: 507 `disk_reserve` then, while searches, reads and deletes go on. 0 = none.',
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
    name: 'config',
    kind: 'text',
    help: 'A JSON file with any of these options, by name: `{"port": 8080}`. Variables and flags win over it.',
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
  /** Of a text. */
  readonly minChars?: number
  readonly secret?: boolean
  readonly help: string
}

/** The text of `--help`. @param usage the words before the options */
export function helpText(usage: string): string {
  const lines = (OPTIONS as readonly OptionSpec[]).flatMap((option) => [
    `  --${flagOf(option.name)} <${valueText(option)}>`,
    `      ${option.help.replaceAll('`', '')}`,
    `      ${variableOf(option.name)}${defaultText(option) === '' ? '' : `, default ${defaultText(option)}`}`,
  ])
  return [`Usage: ${usage} [options]`, '', ...lines, '  --help', '      This text.', ''].join('\n')
}

/** The table of docs/operating.md. */
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

/** The options are wrong; the message is one line for the person who starts the service. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
