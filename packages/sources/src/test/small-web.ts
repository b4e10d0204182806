import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = string | { readonly status: number; readonly headers?: Record<string, string> }

/** A site with some answers, which notes what it is asked. */
export class SmallWeb {
  readonly asked: IncomingMessage[] = []
  readonly answers = new Map<string, Answer | ((url: URL) => Answer)>()
  readonly #server = createServer((request, response) => {
    this.asked.push(request)
    const url = new URL(request.url!, this.root)
    const given = this.answers.get(url.pathname) ?? { status: 404 }
    const answer = typeof given === 'function' ? given(url) : given
    if (typeof answer === 'string') response.end(answer)
    else response.writeHead(answer.status, answer.headers).end()
  })

  static async start(): Promise<SmallWeb> {
    const web = new SmallWeb()
    await new Promise<void>((resolve) => web.#server.listen(0, '127.0.0.1', resolve))
    return web
  }

  get root(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
