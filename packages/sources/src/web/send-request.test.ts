import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { LOCAL_NETWORKS } from '../test/follower.ts'
import { REQUEST_LIMITS, sendRequest, type RequestLimits } from './send-request.ts'

suite('An answer of an API', () => {
  let server: Server
  /** What the server sends, before it falls silent. */
  let sent = ''
  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(sent))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => server.close())

  function answer(limits: Partial<RequestLimits>): Promise<unknown> {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const request = { url, method: 'GET', headers: {} } as const
    const { signal } = new AbortController()
    return sendRequest(request, LOCAL_NETWORKS, signal, { ...REQUEST_LIMITS, ...limits })
  }

  test('that stops is broken, also without a length', async () => {
    for (const body of [
      'HTTP/1.0 200 OK\r\n\r\n[{"id":1}]',
      'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"id":1}]',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n[1,2,\r\n',
      '',
    ]) {
      sent = body
      await assert.rejects(answer({ silenceMsMax: 100 }), /it sent nothing for 0\.1 s/, body)
    }
  })

  test('that takes too long is broken, also without a length', async () => {
    sent = 'HTTP/1.0 200 OK\r\n\r\n[{"id":1}]'
    await assert.rejects(answer({ totalMsMax: 100 }), /it took too long/)
  })
})
