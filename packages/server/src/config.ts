import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isatty } from 'node:tty'
import { parseArgs } from 'node:util'
import type { MailServer } from './ports/host/mail.ts'
import type { TracingOptions } from './ports/host/request-tracer.ts'
import type { EmbedderConfig } from './ports/search/embedder-config.ts'
import { ConfigError, flagOf, OPTIONS, variableOf, type OptionSpec } from './config-options.ts'
import { readCluster, type ClusterConfig } from './config-cluster.ts'
import { readEmbedders } from './config-embedders.ts'
import { readImageHosts } from './config-image-hosts.ts'
import { readMailServer, readPublicUrl } from './config-mail.ts'
import { readSourceNetworks } from './config-source-networks.ts'
import { readTracing } from './config-tracing.ts'

export type LogFormat = 'pretty' | 'json'

type Option = (typeof OPTIONS)[number]
/** `data_dir` becomes `dataDir`. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
/** What `check` returns for an option; undefined if it is not set and has no fallback. */
type ValueOf<O extends Option> =
  | (O extends { kind: 'choice' }
      ? O['choices'][number]
      : { text: string; whole: number; switch: boolean }[Exclude<O['kind'], 'choice'>])
  | (O extends { fallback: unknown } ? never : undefined)
type Values = { readonly [O in Option as Camel<O['name']>]: ValueOf<O> }

/** The value of every option, and what some are read as. */
export interface Config extends Omit<
  Values,
  'threads' | 'logFormat' | 'trustProxy' | 'sourceNetworks'
> {
  readonly threads: number
  readonly logFormat: LogFormat
  readonly trustProxy: boolean | string[]
  /** Sources for `img-src` in the Content-Security-Policy of the dashboard. */
  readonly imageHosts: readonly string[]
  /** That sources may reach besides public addresses. */
  readonly sourceNetworks: readonly string[]
  /** `undefined`: the service sends no e-mail. */
  readonly mailServer: MailServer | undefined
  /** `undefined`: the default, which depends on the size of the disk. */
  readonly diskReserveBytes: number | undefined
  /** From the standard variables of OpenTelemetry; `undefined` if tracing is off. */
  readonly tracing: TracingOptions | undefined
  /** Of `--embedders-file`, with their keys. */
  readonly embedders: readonly EmbedderConfig[]
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
  const named = [...values].map(([name, value]) => [camel(name), value])
  const read = Object.fromEntries(named) as Values
  return {
    ...read,
    threads: read.threads ?? availableParallelism(),
    logFormat: read.logFormat ?? (isatty(1) ? 'pretty' : 'json'),
    trustProxy: trusted(read.trustProxy),
    imageHosts: readImageHosts(read.dashboardImageHosts),
    sourceNetworks: readSourceNetworks(read.sourceNetworks),
    mailServer: readMailServer(read),
    publicUrl: readPublicUrl(read.publicUrl),
    diskReserveBytes: megabytes(read.diskReserve),
    tracing: readTracing(environment),
    embedders: readEmbedders(read.embeddersFile, environment),
    cluster: readCluster(<T>(name: string) => values.get(name) as T),
  }
}

function camel(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
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
  'AISLE_JAVA',
  'AISLE_URL',
  'AISLE_STORE',
  'AISLE_READ_SECRET',
  'AISLE_WRITE_SECRET',
  'AISLE_USER_PASSWORD',
  'AISLE_EMBEDDER_KEY',
  'AISLE_SOURCE_PASSWORD',
  'AISLE_SOURCE_TOKEN',
  'AISLE_SOURCE_ACCESS_TOKEN',
  'AISLE_SOURCE_CLIENT_SECRET',
  'AISLE_SOURCE_CONSUMER_KEY',
  'AISLE_SOURCE_CONSUMER_SECRET',
  'AISLE_SOURCE_WEBHOOK_SECRET',
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
      throw new ConfigError(`${where} must be a non-empty string${shown}`)
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
