import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'

/**
 * A server that reads a body and returns fixed bytes: the cost of HTTP alone. Runs in a separate
 * process and prints its port.
 *
 *     node noop-server.ts fastify|http BYTES
 */
const [kind, bytes] = process.argv.slice(2)
const answer = Buffer.from(JSON.stringify({ found: 0, text: 'x'.repeat(Number(bytes)) }))
const type = 'application/json; charset=utf-8'

if (kind === 'http') {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
      response.writeHead(200, { 'content-type': type, 'content-length': answer.length })
      response.end(answer)
    })
  })
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
} else {
  const app = fastify()
  app.post('/v1/search', (_request, reply) => reply.header('content-type', type).send(answer))
  await app.listen({ port: 0, host: '127.0.0.1' })
  console.log((app.server.address() as AddressInfo).port)
}
