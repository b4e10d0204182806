import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isatty } from 'node:tty'
import { parseArgs } from 'node:util'
import type { TracingOptions } from './ports/host/request-tracer.ts'
import { ConfigError, flagOf, OPTIONS, variableOf } from './config-options.ts'
import type { OptionSpec } from './config-options.ts'
import { readCluster } from './config-cluster.ts'
import type { ClusterConfig } from './config-cluster.ts'
import { readImageHosts } from './config-image-hosts.ts'
import { readTracing } from './config-tracing.ts'

export type LogFormat = 'pretty' | 'json'

export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly adminToken: string | undefined
  readonly threads: number
  readonly demo: boolean
  readonly rateLimit: number
  /** 0 = no limit. */
  readonly connectionsPerAddress: number
  readonly searchTimeoutMaxMs: number
  readonly cacheMegabytes: number
  /** Memory for the indexes of small stores. */
  readonly smallStoresMegabytes: number
  /** Read from the standard variables of OpenTelemetry; `undefined` if tracing is off. */
  readonly tracing: TracingOptions | undefined
  readonly ingestAliases: boolean
  readonly mcp: boolean
  readonly metricsStores: boolean
  readonly reportsMemoryMb: number
  /** Sources for `img-src` in the Content-Security-Policy of the dashboard. */
  readonly imageHosts: readonly string[]
  readonly logLevel: string
  readonly logFormat: LogFormat
  readonly drainSeconds: number
  readonly trustProxy: boolean | string[]
  readonly check: 'quick' | 'full'
  /** `undefined`: inside the data folder. */
  readonly snapshotDir: string | undefined
  readonly snapshotEveryHours: number
  readonly snapshotKeep: number
  /** `undefined`: the default, which depends on the size of the disk. */
  readonly diskReserveBytes: number | undefined
  readonly auditDays: number
  /** `undefined`: one process with a data folder. */
  readonly cluster: ClusterConfig | undefined
}

/**
 * Reads the options: flags override variables, variables override the file. @returns `help` if
 * requested
 */
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
    connectionsPerAddress: get('connections_per_address'),
    searchTimeoutMaxMs: get('search_timeout_max_ms'),
    cacheMegabytes: get('cache_megabytes'),
    smallStoresMegabytes: get('small_stores_megabytes'),
    tracing: readTracing(environment),
    ingestAliases: get('ingest_aliases'),
    mcp: get('mcp'),
    metricsStores: get('metrics_stores'),
    reportsMemoryMb: get('reports_memory_mb'),
    imageHosts: readImageHosts(get('dashboard_image_hosts')),
    logLevel: get('log_level'),
    logFormat: get<LogFormat | undefined>('log_format') ?? (isatty(1) ? 'pretty' : 'json'),
    drainSeconds: get('drain_seconds'),
    trustProxy: trusted(get('trust_proxy')),
    check: get('check'),
    snapshotDir: get('snapshot_dir'),
    snapshotEveryHours: get('snapshot_every_hours'),
    snapshotKeep: get('snapshot_keep'),
    diskReserveBytes: megabytes(get('disk_reserve')),
    auditDays: get('audit_days'),
    cluster: readCluster(get),
  }
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
    throw new ConfigError(`${message.replace(/\.$/, '')}; see --help`)
  }
}

/** A misspelt variable would silently keep its default. */
function refuseUnknownVariables(environment: Readonly<Record<string, string | undefined>>): void {
  const known = new Set([...OPTIONS.map((option) => variableOf(option.name)), ...TOOL_VARIABLES])
  for (const name of Object.keys(environment)) {
    if (name.startsWith('AISLE_') && !known.has(name)) {
      throw new ConfigError(`Unknown variable ${name}; see --help`)
    }
  }
}

/** Variables that the command line and the tools of the repository read, not the service. */
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
      if (typeof text === 'string' && text !== '') return longEnough(option, text, where)
      throw new ConfigError(`${where} must be a string that is not empty${shown}`)
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

function megabytes(count: number | undefined): number | undefined {
  return count === undefined ? undefined : count * 1e6
}

function longEnough({ minChars = 0 }: OptionSpec, text: string, where: string): string {
  if (text.length >= minChars) return text
  throw new ConfigError(
    `${where} must have at least ${minChars} characters, received ${text.length}`,
  )
}

function trusted(text: string): boolean | string[] {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.split(',').map((part) => part.trim())
}
