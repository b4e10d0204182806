import { isatty } from 'node:tty'
import pino from 'pino'
import type { LogFormat } from '../config.ts'

export interface LoggerOptions {
  readonly level: string
  readonly format: LogFormat
  /** What every line carries: which thread wrote it. */
  readonly base: Readonly<Record<string, string | number>>
}

export type Log = (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void

/**
 * The log of a thread, on the standard output. A line is written before the call returns, so that
 * none is lost when the process ends.
 */
export async function createLogger({ level, format, base }: LoggerOptions): Promise<pino.Logger> {
  const output = pino.destination(1)
  if (format === 'json') return pino({ level, base }, output)
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'thread',
    colorize: isatty(1),
  })
  const stream = { write: (line: string) => output.write(pretty(line)) }
  return pino({ level, base }, Object.assign(stream, { flush: () => output.flushSync() }))
}
