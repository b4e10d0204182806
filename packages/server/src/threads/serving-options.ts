import type { Config } from '../config.ts'

/** Options of the service that its serving threads follow, under the same names. */
const SERVING_OPTIONS = [
  'host',
  'rateLimit',
  'pageRateLimit',
  'unreadAnswersMegabytes',
  'trustProxy',
  'tracing',
  'ingestAliases',
  'mcp',
  'metricsStores',
  'imageHosts',
  'sourceNetworks',
  'mailServer',
  'publicUrl',
  'searchTimeoutMaxMs',
  'logLevel',
  'logFormat',
  'connectionsPerAddress',
] as const satisfies readonly (keyof Config)[]

export function servingOptions(config: Config): Pick<Config, (typeof SERVING_OPTIONS)[number]> {
  const picked = SERVING_OPTIONS.map((name) => [name, config[name]])
  return Object.fromEntries(picked) as Pick<Config, (typeof SERVING_OPTIONS)[number]>
}
