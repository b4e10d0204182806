import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before, suite } from 'node:test'
import { QUARANTINE_DEATHS } from '@aisle/contract'
import { until } from '@aisle/testing'
import { ADMIN_TOKEN, ENTRY, TestService } from './test/test-service.ts'

/** See test/tiny-serving-thread.ts. */
const DEADLY_SIZE = 97
const THREADS = 3
const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` }
const USER = { login: 'ada', role: 'analyst', password: 'correct horse battery' }

// One service in one data folder: it works, is killed, and works on. Each test has its own store.
suite('service with threads', () => {
  let service: TestService
  let agents: Agent[]
  before(async () => {
    service = await TestService.start(['--threads', String(THREADS), '--log-level', 'info'])
    // Kept-alive connections: the kernel has spread them over the threads.
    agents = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  })
  after(async () => {
    for (const agent of agents) agent.destroy()
    await service[Symbol.asyncDispose]()
  })

  /** Starts another process on the data folder; the first one must have ended. */
  const restart = async (flags: string[]): Promise<void> => {
    await service.exited
    service = await TestService.start(flags, service.folder)
  }
  const enter = async (): Promise<Record<string, string>> => {
    const { login, password } = USER
    const answer = await service.call('POST', '/api/v1/admin/session', { login, password })
    return { cookie: answer.cookie.split(';')[0]! }
  }
  const countOfSearches = async (): Promise<number> => {
    const { text } = await service.call('GET', '/metrics')
    const count = /request_duration_seconds_count\{[^}]*v1\/search"[^}]*\} (\d+)/.exec(text)
    return Number(count?.[1] ?? 0)
  }

  test('a write answered on one connection is seen by the next request on every other', async () => {
    const keys = await service.createShop('written')
    const path = '/api/v1/stores/written/documents'
    for (let i = 0; i < 40; i++) {
      const agent = agents[i % agents.length]
      const written = await service.call('POST', path, { id: 'd', data: { n: i } }, keys, agent)
      assert.equal(written.status, i === 0 ? 201 : 200, written.text)
      await Promise.all(
        agents.map(async (other) => {
          const read = await service.call('GET', `${path}/d`, undefined, keys, other)
          assert.equal(read.status, 200, read.text)
          assert.match(read.text, RegExp(`"n":${i}[,}]`))
          const found = await service.call('POST', '/v1/search', { q: '*' }, keys, other)
          assert.equal(found.body['found'], 1, found.text)
          assert.match(found.text, RegExp(`"n":${i}[,}]`))
        }),
      )
    }
    const threads = new Set(service.output.match(/"thread":\d+/g))
    assert.equal(threads.size, THREADS, 'every thread has answered')
    assert.equal(await countOfSearches(), 480, 'requests of all threads are added up')
    const metrics = await service.call('GET', '/metrics')
    assert.match(metrics.text, /^aisle_process_cpu_seconds_total/m)
    assert.doesNotMatch(metrics.text, /^(?!#|aisle_)./m, 'a name that is not ours')
  })

  test('nobody else on the machine can read what it keeps', async () => {
    await service.call('POST', '/api/v1/admin/snapshots', {}, ADMIN)
    const open = readdirSync(service.folder, { recursive: true })
      .map((name) => join(service.folder, String(name)))
      .filter((path) => (statSync(path).mode & 0o077) !== 0)
    assert.deepEqual(open, [])
    assert.equal(statSync(service.folder).mode & 0o077, 0)
  })

  test('a session that was ended opens nothing on any thread', async () => {
    const made = await service.call('POST', '/api/v1/admin/users', USER, ADMIN)
    assert.equal(made.status, 201, made.text)
    const opens = async (headers: Record<string, string>) => {
      const answers = agents.map((agent) =>
        service.call('GET', '/api/v1/admin/stores', undefined, headers, agent),
      )
      return new Set((await Promise.all(answers)).map(({ status }) => status))
    }
    for (let i = 0; i < 10; i++) {
      const session = await enter()
      assert.deepEqual(await opens(session), new Set([200]))
      await service.call('DELETE', '/api/v1/admin/users/ada/sessions', undefined, ADMIN)
      assert.deepEqual(await opens(session), new Set([401]))
    }
  })

  test('a rule that was put, changed or deleted counts for the next search on every thread', async () => {
    const keys = await service.createShop('ruled')
    const path = '/api/v1/stores/ruled/rules/r'
    for (let i = 0; i < 20; i++) {
      const isDeleted = i % 5 === 4
      const [method, rule] = isDeleted
        ? (['DELETE'] as const)
        : (['PUT', { banner: { i } }] as const)
      const changed = await service.call(method, path, rule, keys, agents[i % agents.length])
      assert.equal(changed.status, 200, changed.text)
      await Promise.all(
        agents.map(async (other) => {
          const found = await service.call('POST', '/v1/search', { q: '*' }, keys, other)
          assert.deepEqual(found.body['applied_rules'], isDeleted ? undefined : ['r'])
          assert.equal(found.text.includes(`"banner":{"i":${i}}`), !isDeleted, found.text)
        }),
      )
    }
  })

  test('a second service on the same port or folder is refused with one clear line', async () => {
    const start = async (flags: string[]): Promise<string> => {
      const child = spawn(process.execPath, [ENTRY, ...flags])
      let text = ''
      child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
      const code = await new Promise((resolve) => child.once('exit', resolve))
      return `${String(code)} ${text}`
    }
    const port = String(service.port)
    const other = mkdtempSync(join(tmpdir(), 'aisle-service-'))
    assert.match(
      await start(['--port', port, '--data-dir', other]),
      /^1 Cannot listen on .*: the port is in use\n$/,
    )
    assert.match(
      await start(['--port', '0', '--data-dir', service.folder]),
      /^1 .*another process is using it\n$/,
    )
    rmSync(other, { recursive: true, force: true })
  })

  test('a search that ends its thread again and again is refused, on all threads, and no other is', async () => {
    const keys = await service.createShop('deadly')
    const search = (limit: number) =>
      service.call('POST', '/v1/search', { q: '*', per_page: limit }, keys)
    const statusOf = async (limit: number): Promise<number> =>
      await search(limit).then(
        ({ status }) => status,
        () => 0,
      )
    for (let death = 1; death <= QUARANTINE_DEATHS; death++) {
      assert.equal(await statusOf(DEADLY_SIZE), 0, 'cut off')
      await service.until(RegExp(`(A serving thread ended; replacing it[^]*){${death}}`))
      const isThere = (): Promise<boolean> =>
        service.call('GET', '/livez').then(
          () => true,
          () => false,
        )
      await until('another thread', isThere)
    }
    for (let i = 0; i < 8; i++) {
      const refused = await search(DEADLY_SIZE)
      assert.deepEqual([refused.status, refused.body['code']], [503, 'request_quarantined'])
      assert.equal(await statusOf(DEADLY_SIZE - 1), 200)
    }
  })

  test('everything acknowledged is there after kill -9: documents, a rule, a session', async () => {
    const keys = await service.createShop('kept')
    const path = '/api/v1/stores/kept/documents'
    await service.call('PUT', '/api/v1/stores/kept/rules/r', { banner: 'kept' }, keys)
    const session = await enter()
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        service.call('POST', path, { id: `d${i}`, data: { n: i } }, keys),
      ),
    )
    await service.call('DELETE', `${path}/d3`, undefined, keys)
    service.child.kill('SIGKILL')
    await restart(['--threads', String(THREADS), '--rate-limit', '20'])
    const found = await service.call('POST', '/v1/search', { q: '*' }, keys)
    assert.equal(found.body['found'], 19, found.text)
    assert.deepEqual(found.body['applied_rules'], ['r'], found.text)
    const after = await service.call('GET', '/api/v1/admin/session', undefined, session)
    assert.equal(after.body['login'], USER.login, after.text)
  })

  let counted: Record<string, string>
  test('answers, counts of searches and rate limits are one over all threads', async () => {
    counted = await service.createShop('counted')
    const search = (body: object) => service.call('POST', '/v1/search', body, counted)
    const query = { q: '*', cache_results: true }
    assert.equal((await search(query)).body['cached'], false)
    // Each on a separate connection: the kernel spreads them over the threads.
    for (let i = 0; i < 12; i++) assert.equal((await search(query)).body['cached'], true)
    for (let i = 0; i < 6; i++) await search({ q: '*' })
    const burst = await Promise.all(Array.from({ length: 60 }, () => search(query)))
    const refused = burst.filter(({ status }) => status === 429).length
    assert.ok(refused >= 15, `${refused} refused of 60 beyond a burst of 40`)
  })

  test('SIGTERM lets a request in flight finish, refuses new ones, and exits with 0; counts outlive it', async () => {
    const finished = await service.createShop('finished')
    assert.equal(await statusOfBulkDuringStop(service, 'finished', finished), 207)
    assert.equal(await service.exited, 0, service.output)
    await restart(['--threads', '1'])
    const found = await service.call('POST', '/v1/search', { q: '*' }, finished)
    assert.equal(found.body['found'], 2, found.text)
    const settings = await service.call(
      'GET',
      '/api/v1/stores/counted/settings',
      undefined,
      counted,
    )
    const { searches_used: used } = settings.body['quota'] as Record<string, unknown>
    assert.equal(used, 7)
  })
})

/** Sends a second document once the service has the first one, and stops. */
function statusOfBulkDuringStop(
  service: TestService,
  storeId: string,
  keys: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const slow = request(
      {
        port: service.port,
        method: 'POST',
        path: `/api/v1/stores/${storeId}/documents/bulk`,
        // The service says when it has the head of the request.
        headers: { ...keys, 'content-type': 'application/x-ndjson', expect: '100-continue' },
      },
      (incoming) => {
        incoming.resume()
        incoming.on('end', () => resolve(incoming.statusCode ?? 0))
      },
    )
    slow.on('error', reject)
    slow.on('continue', () => {
      slow.write('{"id":"a","data":{"n":1}}\n')
      service.child.kill('SIGTERM')
      service.until(/Stopping/).then(() => slow.end('{"id":"b","data":{"n":2}}\n'), reject)
    })
    slow.flushHeaders()
  })
}
