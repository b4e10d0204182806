import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const LOOK_MS = 1_000

/** One address for several API nodes: each request goes to the next healthy one. */
export class FrontProxy implements AsyncDisposable {
  readonly url: string
  readonly #nodes: readonly string[]
  readonly #server: ReturnType<typeof createServer>
  readonly #looking: NodeJS.Timeout
  #healthy: readonly string[]
  #next = 0

  private constructor(nodes: readonly string[], server: ReturnType<typeof createServer>) {
    this.#nodes = nodes
    this.#healthy = nodes
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('request', (request, reply) => this.#pass(request, reply))
    this.#looking = setInterval(() => void this.#look(), LOOK_MS)
  }

  /** @param port 0: a free port */
  static async start(nodes: readonly string[], port = 0): Promise<FrontProxy> {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    return new FrontProxy(nodes, server)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking)
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #pass(request: IncomingMessage, reply: ServerResponse): void {
    const node = this.#healthy[this.#next++ % Math.max(this.#healthy.length, 1)]
    if (node === undefined) {
      reply.writeHead(503, { 'retry-after': '1' }).end('No API node is healthy\n')
      return
    }
    const headers = { ...request.headers, 'x-forwarded-for': request.socket.remoteAddress ?? '' }
    const passed = send(`${node}${request.url}`, { method: request.method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    // A truncated answer must not look complete.
    passed.on('error', () => (reply.headersSent ? reply.destroy() : reply.writeHead(502).end()))
    reply.on('close', () => passed.destroy())
    request.pipe(passed)
  }

  async #look(): Promise<void> {
    const seen = await Promise.all(
      this.#nodes.map((node) =>
        fetch(`${node}/health`, { signal: AbortSignal.timeout(LOOK_MS) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    )
    this.#healthy = this.#nodes.filter((_, at) => seen[at])
  }
}
