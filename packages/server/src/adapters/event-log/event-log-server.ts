import type { MessagePort } from 'node:worker_threads'
import { AppendError, DayFullError } from '@aisle/events'
import type { EventLogs } from '@aisle/events'
import { TurnQueue } from '../../domain/turns/turn-queue.ts'
import { UNWATCHED, type StoreWatch } from '../../ports/store-watch.ts'
import type { FromEventThread, ToEventThread } from './messages.ts'

/**
 * Batches of one store that are on their way to the disk. They share a sync; what comes beyond
 * waits for the next, and batches of other stores do not wait for it.
 */
const APPENDS_PER_STORE_MAX = 64

/** The owner's side: serves the ports of all threads over one set of logs. */
export class EventLogServer {
  readonly #logs: EventLogs
  readonly #watch: StoreWatch
  readonly #appends = new TurnQueue({ lanes: Infinity, perKey: APPENDS_PER_STORE_MAX })
  /** Ports that listen, by log. */
  readonly #listeners = new Map<string, Set<MessagePort>>()

  constructor(logs: EventLogs, watch: StoreWatch = UNWATCHED) {
    this.#logs = logs
    this.#watch = watch
  }

  serve(port: MessagePort): void {
    const tell = (message: FromEventThread): void => port.postMessage(message)
    port.on('message', (message: ToEventThread) => {
      switch (message.kind) {
        case 'append':
          void this.#append(message, tell)
          break
        case 'end':
        case 'ends':
        case 'erase':
        case 'bar':
        case 'dropBefore':
          void this.#answer(message, tell)
          break
        case 'tail':
          this.#listen(port, message.log, message.isOn)
          break
      }
    })
    port.on('close', () => {
      for (const ports of this.#listeners.values()) ports.delete(port)
    })
  }

  async #append(
    { callId, log, records, counts, refused }: ToEventThread & { kind: 'append' },
    tell: (message: FromEventThread) => void,
  ): Promise<void> {
    try {
      const { duplicates } = await this.#appends.run(log, async () =>
        this.#during(log, () => this.#logs.append(log, { records, counts })),
      )
      // Listeners are told before the sender is answered; clients may rely on that.
      for (const listener of this.#listeners.get(log) ?? []) {
        const tailed: FromEventThread = { kind: 'tailed', log, records, duplicates, refused }
        listener.postMessage(tailed)
      }
      tell({ kind: 'appended', callId, duplicates })
    } catch (error) {
      if (error instanceof DayFullError) {
        const { resetMs, waitMs } = error
        tell({ kind: 'full', callId, resetMs, waitMs })
        return
      }
      if (!(error instanceof AppendError)) throw error
      tell({ kind: 'failed', callId, isFinal: error.isFinal })
    }
  }

  async #answer(
    message: Exclude<ToEventThread, { kind: 'append' | 'tail' }>,
    tell: (message: FromEventThread) => void,
  ): Promise<void> {
    const { callId } = message
    try {
      switch (message.kind) {
        case 'end':
          tell({
            kind: 'end',
            callId,
            end: this.#during(message.log, () => this.#logs.end(message.log)),
          })
          break
        case 'ends':
          tell({ kind: 'ends', callId, ends: this.#logs.ends() })
          break
        case 'erase':
          await this.#during(message.log, () => this.#logs.erase(message.log, message.positions))
          tell({ kind: 'erased', callId })
          break
        case 'bar':
          await this.#during(message.log, () => this.#logs.bar(message.log, message.visitor))
          tell({ kind: 'barred', callId })
          break
        case 'dropBefore': {
          const bytes = await this.#during(message.log, () =>
            this.#logs.dropBefore(message.log, message.receivedMs),
          )
          tell({ kind: 'dropped', callId, bytes })
          break
        }
      }
    } catch (error) {
      if (!(error instanceof AppendError)) throw error
      tell({ kind: 'failed', callId, isFinal: error.isFinal })
    }
  }

  #during<T>(log: string, work: () => T): T {
    if (this.#watch.setAsideSeconds(log) > 0) {
      throw new AppendError('The thread of the event logs ended over this store')
    }
    return this.#watch.during(log, work)
  }

  #listen(port: MessagePort, log: string, isOn: boolean): void {
    const ports = this.#listeners.get(log) ?? new Set()
    if (isOn) ports.add(port)
    else ports.delete(port)
    if (ports.size === 0) this.#listeners.delete(log)
    else this.#listeners.set(log, ports)
  }
}
