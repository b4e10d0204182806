import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { JsonApiConnection } from '@aisle/contract'
import { SourceError } from '../source-error.ts'
import { readRows } from '../test/read-rows.ts'
import { SmallWeb } from '../test/small-web.ts'
import { nextLink } from './next-link.ts'

const web = await SmallWeb.start()
after(() => web.close())

const ITEMS = Array.from({ length: 5 }, (_, i) => ({ id: i + 1 }))

/** Two items for each page. */
function slice(from: number): readonly { id: number }[] {
  return ITEMS.slice(from, from + 2)
}

function api(more: Partial<JsonApiConnection>): JsonApiConnection {
  return { kind: 'json_api', url: `${web.root}/api`, requests_per_second: 20, ...more }
}

suite('a JSON API', () => {
  test('is read page by page, however it names the next page', async () => {
    web.answers.set('/list', JSON.stringify(ITEMS))
    web.answers.set('/page', ({ searchParams }) =>
      JSON.stringify({ data: { items: slice(2 * (Number(searchParams.get('page')) - 1)) } }),
    )
    web.answers.set('/offset', ({ searchParams }) =>
      JSON.stringify({ items: slice(Number(searchParams.get('skip'))) }),
    )
    web.answers.set('/cursor', ({ searchParams }) => {
      const from = Number(searchParams.get('after') ?? 0)
      return JSON.stringify({ items: slice(from), next: from + 2 < 5 ? from + 2 : null })
    })
    web.answers.set('/next', ({ searchParams }) => {
      const from = Number(searchParams.get('from') ?? 0)
      const links = from + 2 < 5 ? { next: `/next?from=${from + 2}` } : {}
      return JSON.stringify({ items: slice(from), links })
    })
    const url = (path: string): string => `${web.root}${path}`
    const connections = [
      api({ url: url('/list') }),
      api({ url: url('/page'), items: 'data.items', pages: { by: 'page', parameter: 'page' } }),
      api({
        url: url('/offset?size=2'),
        items: 'items',
        pages: { by: 'offset', parameter: 'skip' },
      }),
      api({
        url: url('/cursor'),
        items: 'items',
        pages: { by: 'cursor', parameter: 'after', path: 'next' },
      }),
      api({ url: url('/next'), items: 'items', pages: { by: 'next', path: 'links.next' } }),
    ]
    for (const connection of connections) {
      assert.deepEqual(await readRows(connection), ITEMS, connection.url)
    }
  })

  test('gets the token, and no other site does', async () => {
    const other = await SmallWeb.start()
    other.answers.set('/api', '{"items": [{"id": 2}]}')
    web.answers.set('/api', JSON.stringify({ items: [{ id: 1 }], next: `${other.root}/api` }))
    const connection = api({ items: 'items', pages: { by: 'next', path: 'next' } })
    assert.equal((await readRows(connection, { token: 'secret' })).length, 2)
    assert.equal(web.asked.at(-1)!.headers.authorization, 'Bearer secret')
    assert.equal(other.asked[0]!.headers.authorization, undefined)
    await readRows(api({ items: 'items', header: 'X-Key' }), { token: 'secret' })
    assert.equal(web.asked.at(-1)!.headers['x-key'], 'secret')
    other.close()
  })

  test('keeps all digits of numbers', async () => {
    web.answers.set('/api', '[{"id": 12345678901234567890, "price": 1.10}]')
    const [row] = await readRows(api({}))
    assert.equal((row as { id: number }).id, 12345678901234567890)
  })

  test('is asked again after an error that may pass, and its faults are told', async () => {
    let isBusy = true
    web.answers.set('/api', () => {
      const answer = isBusy ? { status: 429 } : '[]'
      isBusy = false
      return answer
    })
    assert.deepEqual(await readRows(api({})), [])
    const fails = (
      answer: string,
      connection: JsonApiConnection,
      message: RegExp,
    ): Promise<void> => {
      web.answers.set('/api', answer)
      return assert.rejects(
        () => readRows(connection),
        (error) => error instanceof SourceError && message.test(error.message),
      )
    }
    await fails('<html>', api({}), /not JSON/)
    await fails('{"items": {}}', api({ items: 'items' }), /"items" in the answer .* not a list/)
    const circle = api({ items: 'items', pages: { by: 'next', path: 'next' } })
    await fails('{"items": [], "next": "/api"}', circle, /second time/)
    await fails('{"items": [], "next": "http://"}', circle, /not the URL/)
    await fails('{"items": [], "next": "file:///etc/passwd"}', circle, /http/)
    await fails('{"items": [], "next": "http://169.254.169.254/"}', circle, /not a public address/)
  })

  test('may name the next page in a header', () => {
    assert.equal(
      nextLink('<https://a/?p=1>; rel="prev", <https://a/?p=3,4>; rel="next"'),
      'https://a/?p=3,4',
    )
    assert.equal(nextLink('</b>; title="x"; rel=next'), '/b')
    assert.equal(nextLink('<a>; rel="last"'), undefined)
    assert.equal(nextLink('<'), undefined)
    assert.equal(nextLink(''), undefined)
  })
})
