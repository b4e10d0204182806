import type { Connection, Submittable } from 'pg'

/** Bytes of messages that wait for their reader. Beyond this, nothing is received. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024

/** A part of the connection that its types leave out. */
type CopyConnection = Connection & { sendCopyFromChunk(bytes: Buffer): void }

/**
 * The messages of a `COPY … TO STDOUT` or of a replication stream, as a queue. While its reader is
 * busy the connection is paused, so a slow reader slows the database down and memory stays bounded.
 *
 * A message is decoded when it arrives: the protocol parser reuses its bytes.
 */
export class CopyMessages<Message> implements Submittable {
  readonly #text: string
  readonly #decode: (bytes: Buffer) => Message | undefined
  #connection: CopyConnection | undefined
  #waiting: { readonly message: Message; readonly bytes: number }[] = []
  /** Index of the first message in `#waiting` that was not taken. */
  #first = 0
  #waitingBytes = 0
  #isPaused = false
  #isEnded = false
  #failure: Error | undefined
  #wake: () => void = () => {}

  /** @param decode returns `undefined` for a message without interest */
  constructor(text: string, decode: (bytes: Buffer) => Message | undefined) {
    this.#text = text
    this.#decode = decode
  }

  /** Whether `next` would wait. */
  get isEmpty(): boolean {
    return this.#first === this.#waiting.length
  }

  /**
   * The next message; `undefined` at the end, or if none arrives within the time.
   *
   * @throws the error of the database, after the messages that arrived before it
   */
  async next(waitMs?: number): Promise<Message | undefined> {
    if (this.isEmpty && this.#failure === undefined && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        const timer = waitMs === undefined ? undefined : setTimeout(resolve, waitMs)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (!this.isEmpty) return this.#take()
    if (this.#failure !== undefined) throw this.#failure
    return undefined
  }

  get isEnded(): boolean {
    return this.#isEnded && this.isEmpty
  }

  /** Sends a message in the other direction of a replication stream. */
  send(bytes: Buffer): void {
    if (!this.#isEnded && this.#failure === undefined) this.#connection?.sendCopyFromChunk(bytes)
  }

  /** Ends the reading at once, for its own side. */
  fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  #take(): Message {
    const { message, bytes } = this.#waiting[this.#first++]!
    this.#waitingBytes -= bytes
    if (this.isEmpty) {
      this.#waiting = []
      this.#first = 0
    }
    if (this.#isPaused && this.#waitingBytes < WAITING_BYTES_MAX / 2) {
      this.#isPaused = false
      this.#connection?.stream.resume()
    }
    return message
  }

  submit(connection: Connection): void {
    this.#connection = connection as CopyConnection
    connection.query(this.#text)
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure !== undefined) return
    let message: Message | undefined
    try {
      message = this.#decode(chunk)
    } catch (error) {
      this.fail(error as Error)
      return
    }
    if (message === undefined) return
    this.#waiting.push({ message, bytes: chunk.length })
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes > WAITING_BYTES_MAX && !this.#isPaused) {
      this.#isPaused = true
      this.#connection?.stream.pause()
    }
    this.#wake()
  }

  handleError(error: Error): void {
    this.fail(error)
  }

  handleReadyForQuery(): void {
    this.#isEnded = true
    this.#wake()
  }

  /** A server that shuts down completes the command and sends nothing more. */
  handleCommandComplete(): void {
    this.handleReadyForQuery()
  }

  // Messages of a query with rows, which this is not.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
}
