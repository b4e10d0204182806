import { connect, type Socket } from 'node:net'

/** Connections that clients hold and hardly use. */
export class HeldConnections {
  readonly #sockets = new Set<Socket>()
  readonly #reading: NodeJS.Timeout[] = []
  #failures = 0
  #refusals = 0

  get open(): number {
    return this.#sockets.size
  }

  /** Connections that failed, or were reset before an answer. */
  get failures(): number {
    return this.#failures
  }

  /** Connections that got another status than 200. */
  get refusals(): number {
    return this.#refusals
  }

  /** Each sends one request, reads the answer and stays idle. */
  async openIdle(port: number, count: number, request: Buffer): Promise<void> {
    await this.#inGroups(count, () => this.#open(port, request, (socket) => socket.resume()))
  }

  /** Each requests something large and reads a little of it now and then. */
  async openSlow(
    port: number,
    count: number,
    request: Buffer,
    pace: { readonly bytes: number; readonly everyMs: number },
  ): Promise<void> {
    await this.#inGroups(count, () =>
      this.#open(port, request, (socket) => {
        socket.pause()
        const timer = setInterval(() => socket.read(pace.bytes), pace.everyMs)
        this.#reading.push(timer)
        socket.once('close', () => clearInterval(timer))
      }),
    )
  }

  close(): void {
    for (const timer of this.#reading) clearInterval(timer)
    for (const socket of this.#sockets) socket.removeAllListeners('close').destroy()
    this.#sockets.clear()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  async #inGroups(count: number, open: () => Promise<void>): Promise<void> {
    for (let made = 0; made < count; made += GROUP) {
      await Promise.all(Array.from({ length: Math.min(GROUP, count - made) }, open))
    }
  }

  /** Resolves when the first bytes of the answer arrive, or it failed. */
  #open(port: number, request: Buffer, then: (socket: Socket) => void): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' })
      let isAnswered = false
      socket.on('error', () => undefined)
      socket.once('close', () => {
        if (!isAnswered) this.#failures++
        this.#sockets.delete(socket)
        resolve()
      })
      socket.once('readable', () => {
        isAnswered = true
        const status = (socket.read(STATUS_BYTES) as Buffer | null)?.toString() ?? ''
        if (!status.endsWith('200')) this.#refusals++
        then(socket)
        resolve()
      })
      this.#sockets.add(socket)
      socket.write(request)
    })
  }
}

const STATUS_BYTES = 'HTTP/1.1 200'.length
/** A system limits how many it accepts at once; a real crowd also arrives over time. */
const GROUP = 100
