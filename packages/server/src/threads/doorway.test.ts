import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { suite } from 'node:test'
import { ERROR_STATUS, type ErrorResponse } from '@aisle/contract'
import { until } from '@aisle/testing'
import { StartProgress } from '../adapters/embedded/start-progress.ts'
import { Doorway } from './doorway.ts'
import { TestService } from './test/test-service.ts'

const HOST = '127.0.0.1'
const LARGE_BODY = 'x'.repeat(5_000_000)

const HANDOVERS = 4
/** A start takes long on a busy machine; looks are frequent, so as to see all of it. */
const START = { timeoutMs: 120_000 }

/**
 * Returns the response to a request, or the error. Each has a separate connection, unless there
 * is an agent.
 */
function statusOf(port: number, agent: Agent | false = false): Promise<string> {
  return new Promise((resolve) => {
    const asking = request({ host: HOST, port, path: '/health', agent }, (answer) => {
      answer.resume().on('end', () => resolve(String(answer.statusCode)))
    })
    asking.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    asking.end()
  })
}

suite('the doorway', () => {
  test('it answers while the service starts: alive, not ready, how far, and come again', async () => {
    const doorway = await Doorway.open({ host: HOST, port: 0 })
    const url = `http://${HOST}:${doorway.port}`
    assert.deepEqual(await (await fetch(`${url}/livez`)).json(), { status: 'ok' })
    const progress = new StartProgress(doorway.progress)
    progress.begin(2, 500)
    progress.indexed(60)
    progress.finishStore(100)
    progress.indexed(23)
    const health = await fetch(`${url}/health?x=1`)
    assert.deepEqual([health.status, health.headers.get('retry-after')], [503, '1'])
    assert.deepEqual(await health.json(), {
      status: 'starting',
      starting: ['documents', 'tokens', 'demo shop', 'events', 'suggestions', 'reports'],
      progress: { stores: { done: 1, total: 2 }, documents: { done: 123, total: 500 } },
    })
    for (const path of ['/v1/search', '/api/v1/admin/stores', '/livez', '/nowhere']) {
      const answer = await fetch(url + path, { method: 'POST', body: LARGE_BODY })
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
      const body = (await answer.json()) as ErrorResponse
      assert.deepEqual([body.code, body.status], ['unavailable', ERROR_STATUS.unavailable])
      assert.equal(body.error, 'The service is starting: 123 of 500 documents are searchable')
      assert.equal(body.request_id, answer.headers.get('x-request-id'))
    }
    await doorway.close()
    await assert.rejects(fetch(`${url}/livez`))
  })

  test('a browser gets a page that loads itself again, without inline code', async () => {
    const doorway = await Doorway.open({ host: HOST, port: 0 })
    const url = `http://${HOST}:${doorway.port}`
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
    const open = () => fetch(`${url}/stores/demo/rules`, { headers: { accept } })
    assert.doesNotMatch(await (await open()).text(), /<progress[^>]* value=/, 'not counted yet')
    const progress = new StartProgress(doorway.progress)
    progress.begin(1, 86_169)
    progress.indexed(12_345)
    const answer = await open()
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    assert.deepEqual([answer.headers.get('refresh'), answer.headers.get('vary')], ['3', 'accept'])
    assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'self'; /)
    const html = await answer.text()
    assert.match(html, /12,345 of 86,169 products are searchable/)
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=|https?:/)
    const files = [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(async ([, path]) => {
      const file = await fetch(url + path)
      return [file.status, file.headers.get('content-type')]
    })
    assert.deepEqual(await Promise.all(files), [
      [200, 'text/css; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
    ])
    const health = await fetch(`${url}/health`, { headers: { accept } })
    assert.match(health.headers.get('content-type') ?? '', /json/, 'what programs ask stays JSON')
    const sent = await fetch(`${url}/v1/search`, { method: 'POST', headers: { accept } })
    assert.equal(((await sent.json()) as ErrorResponse).code, 'unavailable')
    await doorway.close()
  })

  test('no connection is reset when it hands over, and a connection that is kept is told to close', async () => {
    const outcomes = new Map<string, number>()
    const kept: string[] = []
    for (let round = 0; round < HANDOVERS; round++) {
      const doorway = await Doorway.open({ host: HOST, port: 0 })
      const { port } = doorway
      let isOver = false
      const knock = async (): Promise<void> => {
        while (!isOver) {
          const outcome = await statusOf(port)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }
      }
      const knocking = Array.from({ length: 16 }, knock)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      kept.push(await statusOf(port, agent))
      const server = createServer((_request, response) => response.end())
      server.listen({ host: HOST, port, reusePort: true })
      await once(server, 'listening')
      const closed = doorway.close()
      // The doorway may answer again before it hears that it is to close: then that answer says
      // so.
      await until('that the kept connection gives way to one to the service', async () => {
        kept.push(await statusOf(port, agent))
        return kept.at(-1) === '200'
      })
      await closed
      isOver = true
      await Promise.all(knocking)
      agent.destroy()
      server.close()
      server.closeAllConnections()
    }
    assert.deepEqual([...outcomes.keys()].toSorted(), ['200', '503'])
    assert.deepEqual(new Set(kept), new Set(['503', '200']))
  })

  test('a port that is taken is reported in one line', async () => {
    const server = createServer().listen(0, HOST)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await assert.rejects(Doorway.open({ host: HOST, port }), {
      message: `Cannot listen on ${HOST}:${port}: the port is in use`,
    })
    server.close()
  })

  test('the port of a service responds before its stores are loaded, and never stops', async () => {
    const probe = createServer().listen(0, HOST)
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    const starting = TestService.start(['--port', String(port), '--threads', '2'])
    const seen: string[] = []
    const isReady = async (): Promise<boolean> => {
      const health = await fetch(`http://${HOST}:${port}/health`).then(
        async (answer) => `${answer.status} ${await answer.text()}`,
        (error: Error) => (error.cause as { code: string }).code,
      )
      if (seen.at(-1) !== health) seen.push(health)
      return health.startsWith('200')
    }
    await until('a service that is ready', isReady, START)
    await using service = await starting
    assert.equal(service.port, port)
    // Before it listens it looks whether the port is free: who comes in that moment is reset.
    const first = seen.findIndex((one) => one !== 'ECONNREFUSED' && one !== 'ECONNRESET')
    assert.equal(seen[0], 'ECONNREFUSED')
    const failed = seen.slice(first).filter((one) => one.startsWith('E') || one.startsWith('U'))
    assert.deepEqual(failed, [], 'only before it listens')
    assert.match(seen[first] ?? '', /^503 .*"starting":\["documents".*\],"progress":\{"stores":/)
  })
})
