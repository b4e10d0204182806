import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a shop does wrong with one request. */
export type ShopFault =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** It ends the connection without an answer. */
  | 'disconnect'

export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Bytes that are sent before the connection is lost. */
  readonly cutAt?: number
}

export interface FakeRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server on a free port, which plays the API of a shop system. */
export abstract class FakeServer {
  /** Faults of the next requests, the first one first. */
  readonly faults: ShopFault[] = []
  /** Paths that were asked for, with their parameters. */
  readonly requests: string[] = []
  readonly #server: Server
  #url = ''

  protected constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    })
  }

  /** Such as `http://127.0.0.1:40123`. */
  get url(): string {
    return this.#url
  }

  protected async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  protected abstract answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '', this.#url)
    this.requests.push(url.pathname + url.search)
    const fault = this.faults.shift()
    if (fault === 'disconnect') {
      request.socket.destroy()
      return
    }
    const asked = { method: request.method!, url, headers: request.headers }
    const answer =
      fault === undefined
        ? await this.answer({ ...asked, body: Buffer.concat(chunks).toString() })
        : { body: '', ...fault }
    const body = Buffer.from(answer.body as Uint8Array)
    response.writeHead(answer.status, { 'content-length': body.length, ...answer.headers })
    if (answer.cutAt === undefined) response.end(body)
    else response.write(body.subarray(0, answer.cutAt), () => request.socket.destroy())
  }
}

/** The signature of both systems. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('base64')
}

export function jsonAnswer(value: unknown, status = 200, headers = {}): FakeAnswer {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(value) }
}
