import { Counter, type Registry } from '../http/prometheus.ts'

/** Kinds of background work that can wait and need disk space. */
export type PostponableWork = 'compaction' | 'index files'

/** Interval of log lines per kind, no matter how often it is tried. */
const LOG_EVERY_MS = 600_000

/**
 * Counts work that was postponed because it would have used the disk reserve, and logs it now and
 * then.
 */
export class PostponedWork {
  readonly #counter: Counter<'work'>
  readonly #log: (level: 'warn', message: string, detail: object) => void
  readonly #saidMs = new Map<PostponableWork, number>()

  constructor(registry: Registry, log: (level: 'warn', message: string, detail: object) => void) {
    this.#log = log
    this.#counter = new Counter({
      name: 'aisle_disk_postponed_total',
      help: 'Times that background work was postponed to spare the disk reserve',
      labelNames: ['work'],
      registers: [registry],
    })
  }

  note(work: PostponableWork, detail: object): void {
    this.#counter.inc({ work })
    const nowMs = performance.now()
    if (nowMs - (this.#saidMs.get(work) ?? -Infinity) < LOG_EVERY_MS) return
    this.#saidMs.set(work, nowMs)
    this.#log('warn', 'Background work waits for disk space', { work, ...detail })
  }
}
