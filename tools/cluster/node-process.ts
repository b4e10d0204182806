import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Distribution } from './distribution.ts'

export interface NodeProcessOptions {
  readonly jvm: readonly string[]
  /** Folders of its nodes. */
  readonly homes: readonly string[]
  /** The log file, appended to. */
  readonly logFile: string
  /** Prefix of the command line, such as one that enters a network. */
  readonly within?: readonly string[]
}

const STOP_LIMIT_MS = 20_000

/** A Java process with one or more nodes. It can be ended in any way, and restarted. */
export class NodeProcess {
  readonly #distribution: Distribution
  readonly #options: NodeProcessOptions
  #child: ChildProcess | undefined
  #exited = Promise.resolve()

  constructor(distribution: Distribution, options: NodeProcessOptions) {
    this.#distribution = distribution
    this.#options = options
  }

  /** Whether it was started and has ended. */
  get ended(): boolean {
    const child = this.#child
    return child !== undefined && (child.exitCode !== null || child.signalCode !== null)
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): void {
    const { java, classPath, archive } = this.#distribution
    const { jvm, homes, logFile, within = [] } = this.#options
    const log = openSync(logFile, 'a')
    const options = [
      ...jvm,
      ...(archive === undefined ? [] : [`-XX:SharedArchiveFile=${archive}`]),
      '-Dorg.apache.logging.log4j.level=INFO',
      '-cp',
      classPath,
    ]
    const [command, ...words] = [...within, java, ...options, 'ClusterNodes', ...homes]
    const child = spawn(
      command!,
      words,
      // It ends with its standard input: when this process dies, the pipe closes.
      { stdio: ['pipe', log, log] },
    )
    closeSync(log)
    this.#child = child
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
  }

  /** @param signal `SIGKILL` is a crash, `SIGSTOP` a freeze, `SIGCONT` its end */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal)
  }

  /** Shuts it down gracefully; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#child?.stdin?.end()
    const forced = setTimeout(() => this.signal('SIGKILL'), STOP_LIMIT_MS)
    await this.#exited
    clearTimeout(forced)
  }
}
