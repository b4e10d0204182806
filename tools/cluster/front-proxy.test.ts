import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { until } from '@aisle/testing'
import { FrontProxy } from './front-proxy.ts'

test('the proxy balances requests over the healthy nodes', async () => {
  const ill = new Set<string>()
  const servers = ['a', 'b'].map((name) =>
    createServer((request, reply) => {
      reply.statusCode = request.url === '/health' && ill.has(name) ? 503 : 200
      request.resume().on('end', () => reply.end(name))
    }),
  )
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }
  const urls = servers.map((one) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`)
  {
    await using proxy = await FrontProxy.start(urls)
    const ask = async () => (await fetch(`${proxy.url}/x`, { method: 'POST', body: 'y' })).text()
    assert.deepEqual([await ask(), await ask()].toSorted(), ['a', 'b'])
    ill.add('a')
    await until('b alone', async () => (await ask()) === 'b' && (await ask()) === 'b')
    ill.add('b')
    await until('none', async () => (await ask()).startsWith('No API node'))
  }
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})
