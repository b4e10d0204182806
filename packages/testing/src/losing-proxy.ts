import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A proxy to a node of a cluster that loses the answer to the next bulk request, after the node has
 * executed it.
 */
export async function losingFirstAnswer(
  node: string,
): Promise<{ readonly url: string; readonly loseNext: () => void } & AsyncDisposable> {
  let losing = false
  const server = createServer((incoming, reply) => {
    const { method = 'GET', url = '/', headers } = incoming
    const outgoing = send(`${node}${url}`, { method, headers }, (answer) => {
      if (losing && url.includes('_bulk')) {
        losing = false
        answer.resume().on('end', () => reply.destroy())
      } else {
        reply.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(reply)
      }
    })
    incoming.pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNext: () => (losing = true),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
