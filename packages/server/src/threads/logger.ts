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

/** Lines are collected for so long … */
const COLLECT_MS = 100
/**
 * … or until they are so long. Several threads write to the same pipe, which takes up to 4,096
 * bytes in one piece (PIPE_BUF, POSIX.1): whole lines of one thread never end up within those of
 * another.
 */
const COLLECT_BYTES = 3_072
const WRITE_MAX_BYTES = 4_096
const WARN = 40

/**
 * The log of a thread, on the standard output. Warnings and errors are written before the call
 * returns, with all lines before them. Others are collected: a line per request would cost more
 * than its search. All are written when the thread or the process ends; only `kill -9` loses the
 * last tenth of a second.
 */
export async function createLogger({ level, format, base }: LoggerOptions): Promise<pino.Logger> {
  const output = pino.destination({
    dest: 1,
    sync: true,
    minLength: COLLECT_BYTES,
    maxWrite: WRITE_MAX_BYTES,
    periodicFlush: COLLECT_MS,
  })
  const flush = (): void => output.flushSync()
  output.flush = flush
  process.on('exit', flush)
  const options: pino.LoggerOptions = {
    level,
    base,
    hooks: {
      logMethod(parameters, write, lineLevel) {
        write.apply(this, parameters)
        if (lineLevel >= WARN) flush()
      },
    },
  }
  if (format === 'json') return pino(options, output)
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'thread',
    colorize: isatty(1),
  })
  return pino(options, { write: (line: string) => output.write(pretty(line)), flush } as never)
}
