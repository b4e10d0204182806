import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { LOCAL_NETWORKS } from '../test/follower.ts'
import { SmallWeb } from '../test/small-web.ts'
import { download, type Validators } from './download.ts'

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
