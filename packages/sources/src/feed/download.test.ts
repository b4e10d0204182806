import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { LOCAL_NETWORKS } from '../test/follower.ts'
import { SmallWeb } from '../test/small-web.ts'
import { download, DOWNLOAD_LIMITS, type Validators } from './download.ts'

test('a file that falls silent is broken, also without a length', async () => {
  const raw = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write('HTTP/1.0 200 OK\r\n\r\nid,title\n'))
  })
  await once(raw.listen(0, '127.0.0.1'), 'listening')
  const { port } = raw.address() as AddressInfo
  const { signal } = new AbortController()
  const limits = { ...DOWNLOAD_LIMITS, silenceMsMax: 100 }
  const url = `http://127.0.0.1:${port}/`
  const answer = await download({ url, networks: LOCAL_NETWORKS, signal, limits })
  await assert.rejects(async () => {
    if (answer.kind === 'file') for await (const _ of answer.bytes);
  }, /was not received to its end: it sent nothing for 0\.1 s/)
  const ending = new AbortController()
  const short = { ...DOWNLOAD_LIMITS, totalMsMax: 100 }
  const late = await download({ url, networks: LOCAL_NETWORKS, signal, limits: short })
  await assert.rejects(async () => {
    if (late.kind === 'file') for await (const _ of late.bytes);
  }, /it took too long/)
  const stopped = await download({ url, networks: LOCAL_NETWORKS, signal: ending.signal })
  await assert.rejects(async () => {
    if (stopped.kind !== 'file') return
    for await (const _ of stopped.bytes) ending.abort(new Error('stopped'))
  }, /stopped/)
  raw.close()
})

suite('What a file is asked for the next time', () => {
  let web: SmallWeb
  before(async () => {
    web = await SmallWeb.start()
  })
  after(() => web.close())

  async function validatorsOf(headers: Record<string, string>): Promise<Validators> {
    web.answers.set('/feed.csv', { status: 200, headers })
    const { signal } = new AbortController()
    const answer = await download({ url: `${web.root}/feed.csv`, networks: LOCAL_NETWORKS, signal })
    assert.equal(answer.kind, 'file')
    return answer.kind === 'file' ? answer.validators : {}
  }

  test('a file that may be written again in the same second has no time yet', async () => {
    const written = 'Sun, 29 Nov 2026 00:32:10 GMT'
    const answered = (date: string) => validatorsOf({ 'last-modified': written, date })
    assert.deepEqual(await answered(written), { etag: undefined, lastModified: undefined })
    const { lastModified } = await answered('Sun, 29 Nov 2026 00:32:11 GMT')
    assert.equal(lastModified, written)
    assert.equal((await answered('soon')).lastModified, undefined)
  })

  test('an ETag holds from its first moment', async () => {
    assert.equal((await validatorsOf({ etag: '"a"' })).etag, '"a"')
  })
})
