import { Agent, request as startRequest, type IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface HttpAnswer {
  readonly status: number
  readonly body: Buffer
  /** Content type without parameters: `application/json`; empty if absent. */
  readonly type: string
  readonly headers: IncomingHttpHeaders
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A stream is sent chunked, at the server's pace. */
  readonly body?: string | Buffer | Readable
  /**
   * The agent with its connections; `false`: a separate connection. Default: the client's agent.
   */
  readonly agent?: Agent | false
}

/**
 * HTTP over a fixed number of kept-alive connections. Thinner than `fetch`, so that a benchmark
 * measures the server and not its own client.
 */
export class HttpClient {
  readonly baseUrl: string
  readonly #agent: Agent
  readonly #timeoutMs: number

  /** @param options.timeoutMs silence on the connection after which a request fails */
  constructor(baseUrl: string, options: { connections?: number; timeoutMs?: number } = {}) {
    this.baseUrl = baseUrl.replace(/\/+$/, '')
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections ?? 4 })
    this.#timeoutMs = options.timeoutMs ?? 120_000
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    const { method, path, headers, body, agent = this.#agent } = request
    const plain = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const length = plain && body !== undefined ? { 'content-length': Buffer.byteLength(body) } : {}
    return new Promise((resolve, reject) => {
      const outgoing = startRequest(
        `${this.baseUrl}${path}`,
        { method, agent, headers: { ...headers, ...length } },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              body: Buffer.concat(chunks),
              type: incoming.headers['content-type']?.split(';')[0] ?? '',
              headers: incoming.headers,
            }),
          )
          incoming.on('error', reject)
        },
      )
      outgoing.setTimeout(this.#timeoutMs, () =>
        outgoing.destroy(new Error(`${method} ${path}: no answer in ${this.#timeoutMs} ms`)),
      )
      outgoing.on('error', reject)
      if (plain) outgoing.end(body)
      // An error of the stream makes the request fail, see above.
      else pipeline(body, outgoing).catch(reject)
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
