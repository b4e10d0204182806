import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FIXTURE_WORDS, fixtureVector } from './fixture-words.ts'

export interface ReceivedRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: { readonly input: readonly string[]; readonly dimensions?: number }
}

type Responder = (request: ReceivedRequest, response: ServerResponse) => void

export interface FixtureEndpoint extends AsyncDisposable {
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** What answers instead of the vectors, request by request; then vectors again. */
  readonly next: Responder[]
}

/** An endpoint with the interface of OpenAI over some words; refuses blank texts. */
export async function openFixtureEndpoint(words = FIXTURE_WORDS): Promise<FixtureEndpoint> {
  const requests: ReceivedRequest[] = []
  const next: Responder[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const request: ReceivedRequest = {
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: JSON.parse(Buffer.concat(pieces).toString()) as ReceivedRequest['body'],
      }
      requests.push(request)
      const responder = next.shift() ?? sendVectors(words)
      responder(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    next,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** In reverse order: the numbers of the vectors count. */
function sendVectors(words: typeof FIXTURE_WORDS): Responder {
  return ({ body: { input } }, response) => {
    if (input.some((text) => text.trim() === '')) {
      return sendError(422, 'input must not be blank')(undefined, response)
    }
    const data = input.map((text, index) => ({
      index,
      embedding: fixtureVector(text, words) ?? [0.1, 0, 0, 0, 0, 0, 0, 0.1],
    }))
    sendJson(200, { data: data.toReversed() })(undefined, response)
  }
}

export function sendError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): (request: unknown, response: ServerResponse) => void {
  return sendJson(status, { error: { message } }, headers)
}

export function sendJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): (request: unknown, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}
