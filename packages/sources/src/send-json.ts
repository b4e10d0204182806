import type { IncomingMessage } from 'node:http'
import type { SourceNetworks } from './networks.ts'
import { SourceError } from './source-error.ts'

const ANSWER_MAX_MS = 10_000

/**
 * Sends a JSON object by POST, to addresses that a source may have. Redirects are not followed.
 *
 * @throws SourceError unless the answer is a success
 */
export async function sendJson(
  address: string,
  body: string,
  networks: SourceNetworks,
): Promise<void> {
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new SourceError('unreachable', 'Expected an http or https URL')
  }
  networks.requireAllowed(url.hostname)
  // Threads that serve requests load this file, and seldom send anything.
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = request(
    url,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'aisle-source',
      },
      lookup: networks.lookup,
      agent: false,
      signal: AbortSignal.timeout(ANSWER_MAX_MS),
    },
    resolve,
  )
  sent.on('error', reject)
  sent.end(body)
  let status: number
  try {
    const response = await promise
    status = response.statusCode ?? 0
    response.destroy()
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError('unreachable', `No answer from "${url.host}"`, { cause: error })
  }
  if (status < 200 || status > 299) {
    throw new SourceError('unreachable', `"${url.host}" answered ${status}`)
  }
}
