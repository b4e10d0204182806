import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { HAS_VECTORS } from '@aisle/testing'
import { createTestApp } from '../packages/server/src/http/test/test-app.ts'
import { readSource } from './lib/source-files.ts'

/**
 * Pages whose examples are run. Blocks, by the word after their fence:
 *
 *     json fields, json documents   the catalog of the page
 *     json settings                 a change of the settings of its store, if there is one
 *     json collections, json rules  what the store has, by name, if there is any
 *     json search, json answer      a request, and the part of its answer that matters
 *     filter, filters, sort         one per line: an expression, ` # `, and the matching documents or their order;
 *                                   `none`; `none; warning: …`; or `400 code: …` with a part of the message
 */
const PAGES = [
  'docs/search.md',
  'docs/filters.md',
  'docs/nested.md',
  'docs/symbols.md',
  'docs/semantic.md',
  'docs/interpretation.md',
  'docs/facet-display.md',
  'docs/collections.md',
]

interface Block {
  readonly name: string
  readonly text: string
}
type Json = Record<string, unknown>

const BLOCK = /```(?:json )?(\w+)\n([^]*?)```/g
const blocksOf = (page: string): Block[] =>
  Array.from(readSource(page).text.matchAll(BLOCK), ([, name, text]) => ({
    name: name!,
    text: text!,
  }))

for (const page of PAGES) {
  if (page === 'docs/semantic.md' && !HAS_VECTORS) {
    test(page, { skip: 'NOT RUN: this cluster runs no scripts' })
    continue
  }
  suite(page, async () => {
    // A busy machine is slow with the first search.
    await using app = await createTestApp({ searchTimeoutDefaultMs: 20_000 })
    const store = await app.createStore('examples')
    const post = (url: string, headers: Record<string, string>, body: object) =>
      app.call({ method: 'POST', url, headers, body })
    const write = (path: string, body: object) =>
      post(`/api/v1/stores/${store.id}/${path}`, store.write, body)
    const search = async (request: Json) =>
      (await post('/v1/search', store.read, request)).json() as Json
    const blocks = blocksOf(page)
    const valueOf = (wanted: string): unknown =>
      JSON.parse(blocks.find(({ name }) => name === wanted)!.text)
    const has = (wanted: string): boolean => blocks.some(({ name }) => name === wanted)
    const base = `/api/v1/stores/${store.id}`
    const set = async (method: 'PUT' | 'PATCH', path: string, body: object): Promise<void> => {
      const answer = await app.call({ method, url: `${base}/${path}`, headers: store.write, body })
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const fields = async (): Promise<unknown> => write('schema', { fields: valueOf('fields') })
    // Some settings decide how documents are analysed, others name fields.
    const isFirst = !page.endsWith('facet-display.md')
    if (!isFirst) await fields()
    if (has('settings')) await set('PATCH', 'settings', valueOf('settings') as object)
    if (isFirst) await fields()
    for (const kind of ['collections', 'rules']) {
      if (!has(kind)) continue
      for (const [name, body] of Object.entries(valueOf(kind) as Record<string, object>)) {
        await set('PUT', `${kind}/${name}`, body)
      }
    }
    await write('documents/bulk', { documents: valueOf('documents') })

    const requests = blocks.filter(({ name }) => name === 'search')
    const answers = blocks.filter(({ name }) => name === 'answer')
    assert.equal(requests.length, answers.length)
    // Runs one after the other: a hundred in parallel would be too many for a busy machine.
    const shown: Json[] = []
    for (const { text } of requests) {
      const request = JSON.parse(text) as Json
      shown.push(await search({ return_fields: ['title'], highlight: false, ...request }))
    }
    requests.forEach(({ text }, i) => {
      test(`answers ${text.trim()}`, () => {
        const expected = JSON.parse(answers[i]!.text) as Json
        assert.partialDeepStrictEqual(shown[i], expected)
        // A partial list would match: hits must be complete.
        const length = (list: unknown) => (Array.isArray(list) ? list.length : 0)
        assert.equal(length(shown[i]!['hits']), length(expected['hits']))
      })
    })

    const lines = blocks.flatMap(({ name, text }) =>
      isExpression(name)
        ? text
            .trim()
            .split('\n')
            .map((line) => ({ name, line }))
        : [],
    )
    const said: string[] = []
    for (const { name, line } of lines) {
      const answer = await search(requestOf(name, split(line)[0]))
      said.push(sayAnswer(answer, name === 'sort'))
    }
    lines.forEach(({ line }, i) => {
      test(line, () => {
        const expected = split(line)[1]
        const answer = said[i]!
        assert.ok(answer === expected || matchesMessage(answer, expected), answer)
      })
    })
  })
}

function isExpression(name: string): boolean {
  return name === 'filter' || name === 'filters' || name === 'sort'
}

/** An expression, and its expectation after the last `#`. */
function split(line: string): [expression: string, said: string] {
  const at = line.lastIndexOf(' # ')
  return [line.slice(0, at).trim(), line.slice(at + 3).trim()]
}

function requestOf(name: string, expression: string): Json {
  if (name === 'filter') return { q: '*', filter_by: expression }
  if (name === 'filters') return { q: '*', filters: JSON.parse(expression) }
  return { q: '*', sort_by: expression }
}

/** The ids of an answer, in order if the order matters, and its warning; or its error. */
function sayAnswer(answer: Json, inOrder: boolean): string {
  const {
    code,
    error,
    hits,
    warnings = [],
  } = answer as {
    code?: string
    error?: string
    hits: { id: string }[]
    warnings?: string[]
  }
  if (code !== undefined) return `400 ${code}: ${error}`
  const ids = hits.map(({ id }) => id)
  const list = ids.length === 0 ? 'none' : (inOrder ? ids : ids.toSorted()).join(', ')
  const [warning] = warnings
  return warning === undefined ? list : `${list}; warning: ${warning}`
}

/** `400 code: part of the message`, `none; warning: part of it`. */
function matchesMessage(said: string, expected: string): boolean {
  const at = expected.indexOf(': ')
  return (
    at >= 0 && said.startsWith(expected.slice(0, at + 2)) && said.includes(expected.slice(at + 2))
  )
}
