import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { finishPart, type StartPart } from '../adapters/embedded/start-progress.ts'
import type { Config } from '../config.ts'
import { addressOf, demoTour, loadDemo } from './demo.ts'
import type { Doorway } from './doorway.ts'
import { createLogger } from './logger.ts'
import { openService, type Service, type ServiceOptions } from './service.ts'
import type { StopSignals } from './stop-signals.ts'
import { makeWayForSearches } from './thread-priority.ts'

/**
 * Time for closing the files after the drain deadline, before the process is killed; threads are
 * ended in time for it.
 */
const CLOSE_MS = 15_000

/** Starts the service and ends the process with it. Does not return. */
export async function runService(
  config: Config,
  parts: Pick<
    ServiceOptions,
    'createIndexHost' | 'servingEntry' | 'firstServing' | 'suggestionsEntry'
  > & {
    /** The doorway, which responds in the meantime. */
    readonly doorway: Promise<Doorway>
    readonly signals: StopSignals
  },
): Promise<void> {
  const logger = await mainLogger(config)
  let service: Service | undefined
  const crash = (error: unknown): void => {
    // State in memory may be wrong; the disk is right, and a new process starts from it.
    logger.fatal({ error: describe(error) }, 'The writer failed; the service stops')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  const { doorway, signals, ...entries } = parts

  try {
    service = await openService(config, {
      ...entries,
      // Requests may be in flight from then on, so a signal waits until they can be waited for.
      beforeServing: () => signals.set(undefined),
      doorway: await doorway,
      version: versionOf(),
      log: (level, message, detail) => logger[level](detail ?? {}, message),
      onCrash: crash,
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
  const started = service
  signals.set((signal) => stopService(started, signal, config, logger))
  const { progress } = await doorway
  const finish = (part: StartPart): void => finishPart(progress, part)
  await welcome(service, { config, logger, finish }).catch((error: unknown) => {
    // The next start finishes loading the demo shop.
    if (!signals.isStopping) throw error
  })
}

interface Welcome {
  readonly config: Config
  readonly logger: Logger
  /** `/health` waits for the lines printed here. */
  readonly finish: (part: StartPart) => void
}

/**
 * Reports that the service is ready, and on a first start prints what a person needs to begin:
 * secrets and searches to paste. These go to the standard error, where people look; the standard
 * output is the log, and has no secrets.
 */
async function welcome(service: Service, { config, logger, finish }: Welcome): Promise<void> {
  const { port } = service
  showSecrets(service, config.host)
  finish('tokens')
  logger.info({ host: config.host, port, threads: config.threads }, 'Listening')
  const startedMs = performance.now()
  await service.ready
  // The last threads are started in this turn.
  setImmediate(makeWayForSearches)
  logger.info({ tookMs: Math.round(performance.now() - startedMs) }, 'Every store is searchable')
  if (config.demo) await showDemo(service, config)
  finish('demo shop')
}

async function showDemo(service: Service, config: Config): Promise<void> {
  const writeSecret = await loadDemo(service)
  const tour = demoTour(service, config.host)
  if (tour.length === 0) return
  const shop = `The demo shop is at ${addressOf(config.host, service.port)}/demo, in store "demo". Try:`
  console.error(['', shop, '', ...tour, ''].join('\n'))
  if (writeSecret !== undefined) console.error(`Its write secret, shown only now: ${writeSecret}\n`)
}

/** Logs of the main thread. */
export function mainLogger({
  logLevel,
  logFormat,
}: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  return createLogger({ level: logLevel, format: logFormat, base: { thread: 'main' } })
}

/** Prints what a person needs once, on the standard error. */
export function showSecrets(
  {
    newAdminToken,
    firstRunSecret,
    port,
  }: Pick<Service, 'newAdminToken' | 'firstRunSecret' | 'port'>,
  host: string,
): void {
  if (newAdminToken !== undefined) {
    console.error(`Admin token, shown only now: ${newAdminToken}`)
  }
  if (firstRunSecret !== undefined) {
    // The part after # is neither sent nor logged.
    const link = `${addressOf(host, port)}/first-run#${firstRunSecret}`
    console.error(`Open this link once to create the owner account: ${link}`)
  }
}

export function stopService(
  service: Pick<Service, 'stop'>,
  signal: string,
  config: Config,
  logger: Logger,
): void {
  logger.info({ signal }, 'Stopping')
  const watchdog = setTimeout(
    () => {
      logger.fatal('Shutdown took too long; killing the process')
      process.kill(process.pid, 'SIGKILL')
    },
    config.drainSeconds * 1_000 + CLOSE_MS,
  )
  service.stop().then(
    () => {
      clearTimeout(watchdog)
      logger.info('Stopped')
      logger.flush()
      process.exit(0)
    },
    (error: unknown) => {
      logger.fatal({ error: describe(error) }, 'Stopping failed')
      process.exit(1)
    },
  )
}

export function versionOf(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
