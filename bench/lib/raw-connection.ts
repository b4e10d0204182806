import { connect, type Socket } from 'node:net'

interface Request {
  readonly request: Buffer
}

/** Called with the status of an answer; 0: the connection broke before it was complete. */
type Settle<Pending extends Request> = (
  connection: RawConnection<Pending>,
  pending: Pending,
  status: number,
) => void

const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

/**
 * A kept-alive connection with one request at a time. Reads only as much of an answer as needed to
 * find its end, so that the load costs a fraction of what it measures.
 */
export class RawConnection<Pending extends Request> {
  readonly #socket: Socket
  readonly #settle: Settle<Pending>
  #pending: Pending | undefined
  #head = ''
  #status = 0
  /** Infinity: until the last chunk. */
  #bodyLeft = 0
  /** The last bytes of a chunked answer. */
  #tail = Buffer.alloc(0)
  /** Broken, or closed by the server: not used again. */
  isOver = false
  /** Bytes of the last answer, including the head. */
  answerBytes = 0

  constructor(port: number, settle: Settle<Pending>) {
    this.#settle = settle
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', () => this.#fail())
    this.#socket.on('close', () => this.#fail())
  }

  send(pending: Pending): void {
    this.#pending = pending
    this.answerBytes = 0
    this.#socket.write(pending.request)
  }

  close(): void {
    this.#pending = undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.answerBytes += chunk.length
    if (this.#status === 0) this.#readHead(chunk)
    else this.#readBody(chunk)
    // No bytes follow an answer, since no further request was sent.
    if (this.#status === 0 || this.#bodyLeft > 0) return
    const status = this.#status
    this.#head = ''
    this.#tail = Buffer.alloc(0)
    this.#status = 0
    this.#finish(status)
  }

  #readHead(chunk: Buffer): void {
    this.#head += chunk.toString('latin1')
    const end = this.#head.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#head.slice(0, end + 2)
    this.#status = Number(head.slice(9, 12))
    this.isOver = /\r\nconnection: *close\r\n/i.test(head)
    const isChunked = /\r\ntransfer-encoding: *chunked\r\n/i.test(head)
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1] ?? '0'
    this.#bodyLeft = isChunked ? Infinity : Number(length)
    this.#readBody(Buffer.from(this.#head.slice(end + (isChunked ? 2 : 4)), 'latin1'))
  }

  #readBody(chunk: Buffer): void {
    if (this.#bodyLeft !== Infinity) {
      this.#bodyLeft -= chunk.length
      return
    }
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-LAST_CHUNK.length)
    if (this.#tail.equals(LAST_CHUNK)) this.#bodyLeft = 0
  }

  #fail(): void {
    this.isOver = true
    this.#finish(0)
  }

  #finish(status: number): void {
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined) this.#settle(this, pending, status)
  }
}
