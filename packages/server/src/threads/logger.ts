import { isatty } from 'node:tty'
import pino from 'pino'
import type { LogFormat } from '../config.ts'
import { LogOutput } from './log-output.ts'
import { plainLines } from './plain-line.ts'

export interface LoggerOptions {
  readonly level: string
  readonly format: LogFormat
  /** The members of every line: which thread wrote it. */
  readonly base: Readonly<Record<string, string | number>>
}

export type Log = (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void

const WARN = 40
/**
 * Lines per batch of formatting. A single line between two searches took four times as long,
 * because its code had left the processor cache.
 */
const LINES_AT_ONCE = 16

/** A line that is not formatted yet. */
interface WaitingLine {
  readonly atMs: number
  readonly write: (atMs: number) => void
}

/**
 * The log of a thread, on the standard output. Warnings and errors are written before the call
 * returns, with all lines before them. Others are collected: a line per request would cost more
 * than its search. All are written when the thread or the process ends; only `kill -9` loses the
 * last tenth of a second.
 */
export async function createLogger({ level, format, base }: LoggerOptions): Promise<pino.Logger> {
  let waiting: WaitingLine[] = []
  let lineMs = 0
  const formatWaiting = (): void => {
    const lines = waiting
    waiting = []
    for (const { atMs, write } of lines) write(atMs)
  }
  const plain = plainLines(base)
  /** The log without extra members, if it writes JSON. */
  let plainLogger: pino.Logger | undefined
  const output = new LogOutput(formatWaiting)
  const flush = (): void => output.flush()
  process.on('exit', flush)
  const options: pino.LoggerOptions = {
    level,
    base,
    timestamp: () => `,"time":${lineMs}`,
    hooks: {
      logMethod(parameters, write, lineLevel) {
        const writeLine = (atMs: number): void => {
          const line = this === plainLogger ? plain(lineLevel, atMs, parameters) : undefined
          if (line !== undefined) return output.write(line)
          lineMs = atMs
          write.apply(this, parameters)
        }
        waiting.push({ atMs: Date.now(), write: writeLine })
        if (lineLevel >= WARN) flush()
        else if (waiting.length === LINES_AT_ONCE) formatWaiting()
      },
    },
  }
  if (format === 'json') return (plainLogger = pino(options, output))
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'thread',
    colorize: isatty(1),
  })
  return pino(options, { write: (line: string) => output.write(pretty(line)), flush } as never)
}
