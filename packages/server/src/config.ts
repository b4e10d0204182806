import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { SAMPLER_NAMES, type TracingOptions } from './adapters/opentelemetry/tracer.ts'
import {
  AUDIT_DAYS_DEFAULT,
  CACHE_DEFAULT_MEGABYTES,
  RATE_LIMIT_DEFAULT_PER_SECOND,
} from '@aisle/contract'

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
    help: 'Token of the admin routes. When unset, one is made on the first start and printed once; it goes on working on later starts.',
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
    name: 'log_level',
    kind: 'choice',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    fallback: 'info',
    help: 'How much is logged, as JSON lines on the standard output.',
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

interface OptionSpec {
  /** Snake case: `--data-dir`, `AISLE_DATA_DIR`, `"data_dir"`. */
  readonly name: string
  readonly kind: 'text' | 'whole' | 'switch' | 'choice'
  readonly fallback?: string | number | boolean
  readonly fallbackText?: string
  readonly min?: number
  readonly max?: number
  readonly unit?: string
  readonly choices?: readonly string[]
  readonly secret?: boolean
  readonly help: string
}

export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly adminToken: string | undefined
  readonly threads: number
  readonly demo: boolean
  readonly rateLimit: number
  readonly cacheMegabytes: number
  /** By the standard variables of OpenTelemetry; `undefined`: nothing is traced. */
  readonly tracing: TracingOptions | undefined
  readonly ingestAliases: boolean
  readonly reportsMemoryMb: number
  readonly logLevel: string
  readonly drainSeconds: number
  readonly trustProxy: boolean | string[]
  readonly check: 'quick' | 'full'
  /** `undefined`: inside the data folder. */
  readonly snapshotDir: string | undefined
  readonly snapshotEveryHours: number
  readonly snapshotKeep: number
  readonly auditDays: number
}

/** The options are wrong; the message is one line for the person who starts the service. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Flags win over variables, variables over the file. @returns `help` when it was asked for */
export function readConfig(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Config | 'help' {
  const given = readFlags(flags)
  if (given === 'help') return 'help'
  refuseUnknownVariables(environment)
  const lookUp = (name: string): [unknown, string] | undefined => {
    const flag = flagOf(name)
    if (given[flag] !== undefined) return [given[flag], `--${flag}`]
    const variable = variableOf(name)
    const value = environment[variable]
    return value === undefined || value === '' ? undefined : [value, variable]
  }
  const path = lookUp('config')
  const file = path === undefined ? {} : readFile(String(path[0]))
  const values = new Map<string, unknown>()
  for (const option of OPTIONS as readonly OptionSpec[]) {
    const found = lookUp(option.name) ?? fromFile(file, option.name, path?.[0])
    values.set(option.name, found === undefined ? option.fallback : check(option, ...found))
  }
  const get = <T>(name: string): T => values.get(name) as T
  return {
    host: get('host'),
    port: get('port'),
    dataDir: get('data_dir'),
    adminToken: get('admin_token'),
    threads: get<number | undefined>('threads') ?? availableParallelism(),
    demo: get('demo'),
    rateLimit: get('rate_limit'),
    cacheMegabytes: get('cache_megabytes'),
    tracing: readTracing(environment),
    ingestAliases: get('ingest_aliases'),
    reportsMemoryMb: get('reports_memory_mb'),
    logLevel: get('log_level'),
    drainSeconds: get('drain_seconds'),
    trustProxy: trusted(get('trust_proxy')),
    check: get('check'),
    snapshotDir: get('snapshot_dir'),
    snapshotEveryHours: get('snapshot_every_hours'),
    snapshotKeep: get('snapshot_keep'),
    auditDays: get('audit_days'),
  }
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

function readFlags(flags: readonly string[]): Record<string, string | undefined> | 'help' {
  const options = Object.fromEntries(
    OPTIONS.map((option) => [flagOf(option.name), { type: 'string' as const }]),
  )
  try {
    const { values } = parseArgs({
      args: [...flags],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: false,
    })
    return values.help === true ? 'help' : (values as Record<string, string | undefined>)
  } catch (error) {
    const message = (error as Error).message.split('\n')[0] ?? ''
    throw new ConfigError(`${message.replace(/[. ]+$/, '')}; see --help`)
  }
}

/** A misspelt variable would silently leave its default in force. */
function refuseUnknownVariables(environment: Readonly<Record<string, string | undefined>>): void {
  const known = new Set([...OPTIONS.map((option) => variableOf(option.name)), ...TOOL_VARIABLES])
  for (const name of Object.keys(environment)) {
    if (name.startsWith('AISLE_') && !known.has(name)) {
      throw new ConfigError(`Unknown variable ${name}; see --help`)
    }
  }
}

/**
 * Tracing is on when there is somewhere to send spans to. Variables of OpenTelemetry that the exporter does not read by itself; what we
 * cannot do is refused, so that nobody waits for spans in vain.
 */
function readTracing(
  environment: Readonly<Record<string, string | undefined>>,
): TracingOptions | undefined {
  const get = (name: string): string => (environment[`OTEL_${name}`] ?? '').trim()
  const endpoint = get('EXPORTER_OTLP_TRACES_ENDPOINT') || get('EXPORTER_OTLP_ENDPOINT')
  const exporter = get('TRACES_EXPORTER') || 'otlp'
  const isOff = get('SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none'
  if (endpoint === '' || isOff) return undefined
  const refuse = (name: string, expected: string): never => {
    throw new ConfigError(`OTEL_${name} must be ${expected}, received "${get(name)}"`)
  }
  if (exporter !== 'otlp') refuse('TRACES_EXPORTER', 'otlp or none')
  for (const name of ['EXPORTER_OTLP_TRACES_PROTOCOL', 'EXPORTER_OTLP_PROTOCOL']) {
    if (!['', 'http/protobuf'].includes(get(name))) refuse(name, 'http/protobuf')
  }
  if (!URL.canParse(endpoint)) {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be a URL, received "${endpoint}"`)
  }
  const sampler = SAMPLER_NAMES.find((name) => name === (get('TRACES_SAMPLER') || DEFAULT_SAMPLER))
  if (sampler === undefined) return refuse('TRACES_SAMPLER', `one of ${SAMPLER_NAMES.join(', ')}`)
  const ratio = Number(get('TRACES_SAMPLER_ARG') || 1)
  if (!(ratio >= 0 && ratio <= 1)) refuse('TRACES_SAMPLER_ARG', 'a number from 0 to 1')
  const scheduleDelayMs = Number(get('BSP_SCHEDULE_DELAY') || SPANS_DELAY_MS)
  if (!(scheduleDelayMs >= 0)) refuse('BSP_SCHEDULE_DELAY', 'a number of milliseconds')
  return { sampler, ratio, scheduleDelayMs }
}

const DEFAULT_SAMPLER = 'parentbased_always_on'
const SPANS_DELAY_MS = 5_000

/** Read by the command line and the tools of the repository, not by the service. */
const TOOL_VARIABLES = [
  'AISLE_DATASETS',
  'AISLE_URL',
  'AISLE_STORE',
  'AISLE_READ_SECRET',
  'AISLE_WRITE_SECRET',
  'AISLE_USER_PASSWORD',
]

function readFile(path: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(
      `Cannot read the configuration file "${path}": ${(error as Error).message}`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(`The configuration file "${path}" must be a JSON object`)
  }
  const names: readonly string[] = OPTIONS.map((option) => option.name)
  for (const key of Object.keys(value)) {
    if (!names.includes(key) || key === 'config') {
      throw new ConfigError(`Unknown option "${key}" in the configuration file "${path}"`)
    }
  }
  return value as Record<string, unknown>
}

function fromFile(
  file: Record<string, unknown>,
  name: string,
  path: unknown,
): [unknown, string] | undefined {
  return Object.hasOwn(file, name) ? [file[name], `"${name}" of ${String(path)}`] : undefined
}

function check(option: OptionSpec, value: unknown, where: string): string | number | boolean {
  const text = typeof value === 'string' ? value.trim() : value
  const shown = option.secret === true ? '' : `, received "${String(value)}"`
  switch (option.kind) {
    case 'text':
      if (typeof text === 'string' && text !== '') return text
      throw new ConfigError(`${where} must be a text${shown}`)
    case 'switch':
      if (text === true || text === 'true' || text === '1') return true
      if (text === false || text === 'false' || text === '0') return false
      throw new ConfigError(`${where} must be true or false${shown}`)
    case 'choice':
      if (typeof text === 'string' && option.choices?.includes(text) === true) return text
      throw new ConfigError(`${where} must be one of ${option.choices?.join(', ')}${shown}`)
    case 'whole': {
      const number = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text
      const { min = 0, max = Number.MAX_SAFE_INTEGER } = option
      if (
        typeof number === 'number' &&
        Number.isInteger(number) &&
        number >= min &&
        number <= max
      ) {
        return number
      }
      throw new ConfigError(`${where} must be a whole number from ${min} to ${max}${shown}`)
    }
  }
}

function trusted(text: string): boolean | string[] {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.split(',').map((part) => part.trim())
}

function flagOf(name: string): string {
  return name.replaceAll('_', '-')
}

function variableOf(name: string): string {
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
