import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { latest, SearchClient } from './search-entry.ts'

interface Request {
  readonly body: Record<string, unknown>
  readonly headers: Headers
  readonly signal: AbortSignal
  answer(body: object): void
}

/** A client whose service answers when it is told to. */
function heldClient(onWarning?: (warning: string) => void) {
  const requests: Request[] = []
  const client = new SearchClient<{ title: string }>({
    url: 'http://shop.test',
    storeId: 'shop',
    readSecret: 'rs_1',
    onWarning,
    fetch: ((_: URL, init: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        const signal = init.signal as AbortSignal
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        const body = JSON.parse(init.body as string) as Record<string, unknown>
        const answer = (given: object): void => resolve(Response.json(given))
        requests.push({ body, headers: new Headers(init.headers), signal, answer })
      })) as typeof fetch,
  })
  return { client, requests }
}

/** Lets requests be sent. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

suite('equal searches at the same time', () => {
  test('are sent once', async () => {
    const { client, requests } = heldClient()
    const both = [client.search({ q: 'lamp' }), client.search({ q: 'lamp' })]
    const other = client.search({ q: 'lamps' })
    await turn()
    assert.deepEqual(
      requests.map(({ body }) => body['q']),
      ['lamp', 'lamps'],
    )
    requests[0]?.answer({ found: 3 })
    requests[1]?.answer({ found: 4 })
    assert.deepEqual(
      (await Promise.all([...both, other])).map(({ found }) => found),
      [3, 3, 4],
    )
  })

  test('go on while somebody wants them', async () => {
    const { client, requests } = heldClient()
    const [first, second] = [new AbortController(), new AbortController()]
    const one = client.search({ q: 'lamp' }, { signal: first.signal })
    const two = client.search({ q: 'lamp' }, { signal: second.signal })
    await turn()
    first.abort()
    await assert.rejects(one, { name: 'AbortError' })
    assert.equal(requests[0]?.signal.aborted, false)
    requests[0]?.answer({ found: 1 })
    assert.equal((await two).found, 1)
  })

  test('are given up with the last one', async () => {
    const { client, requests } = heldClient()
    const stop = new AbortController()
    const one = client.search({ q: 'lamp' }, { signal: stop.signal })
    await turn()
    stop.abort()
    await assert.rejects(one, { name: 'AbortError' })
    assert.equal(requests[0]?.signal.aborted, true)
    const again = client.search({ q: 'lamp' })
    await turn()
    requests[1]?.answer({ found: 2 })
    assert.equal((await again).found, 2)
  })
})

test('of keystrokes only the newest is answered, the ones before are given up', async () => {
  const { client, requests } = heldClient()
  const type = latest((signal, q: string) => client.search({ q }, { signal }))
  const typed = ['l', 'la', 'lam'].map((q) => type(q))
  await turn()
  requests.at(-1)?.answer({ found: 7 })
  const answers = await Promise.all(typed)
  assert.deepEqual(
    answers.map((answer) => answer?.found),
    [undefined, undefined, 7],
  )
  assert.deepEqual(
    requests.map(({ signal }) => signal.aborted),
    [true, true, false],
  )
})

test('ids of a visitor are sent as UTF-8', async () => {
  const { client, requests } = heldClient()
  const visitor = { userId: 'Zoë', anonymousId: 'a1' }
  const asked = client.search({ q: 'lamp' }, { visitor })
  await turn()
  const id = requests[0]?.headers.get('x-user-id') ?? ''
  assert.equal(Buffer.from(id, 'latin1').toString('utf8'), 'Zoë')
  assert.equal(requests[0]?.headers.get('x-anon-id'), 'a1')
  assert.equal(requests[0]?.headers.get('x-session-id'), null)
  requests[0]?.answer({ found: 1 })
  await asked
})

test('warnings of answers are told, those of a multi-search too', async () => {
  const told: string[] = []
  const { client, requests } = heldClient((warning) => void told.push(warning))
  const one = client.search({ q: 'lamp', filter_by: 'brand:=a price:<5' })
  const two = client.multiSearch({ queries: [{ q: 'a' }, { q: 'b' }] })
  await turn()
  requests[0]?.answer({ found: 0, warnings: ['Did you mean &&?'] })
  requests[1]?.answer({ results: [{ found: 1 }, { found: 1, warnings: ['no such field'] }] })
  await Promise.all([one, two])
  assert.deepEqual(told, ['Did you mean &&?', 'no such field'])
})

test('pages follow each other to the last', async () => {
  const { client, requests } = heldClient()
  const pages: number[] = []
  const reading = (async () => {
    for await (const { page } of client.searchPages({ q: '*', per_page: 2, page: 2 })) {
      pages.push(page)
    }
  })()
  for (const page of [2, 3]) {
    while (requests.length < page - 1) await turn()
    assert.equal(requests.at(-1)?.body['page'], page)
    requests.at(-1)?.answer({ page, total_pages: 3, hits: [] })
  }
  await reading
  assert.deepEqual(pages, [2, 3])
})
