import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '../packages/server/src/http/test/test-app.ts'
import { readSource } from './lib/source-files.ts'

interface Block {
  readonly section: string
  /** The words after the language: documents, settings, rule and its id, search, answer. */
  readonly what: string
  readonly value: unknown
}

function blocksOf(page: string): Block[] {
  let section = ''
  const blocks: Block[] = []
  for (const match of page.matchAll(/^## (.*)$|^```json (.+)\n([^]*?)^```$/gm)) {
    if (match[1] !== undefined) section = match[1]
    else blocks.push({ section, what: match[2]!, value: JSON.parse(match[3]!) })
  }
  return blocks
}

for (const page of ['docs/rules.md', 'docs/why-this-result.md']) {
  test(`${page} shows actual results`, () => runExamples(page))
}

async function runExamples(page: string): Promise<void> {
  await using app = await createTestApp()
  const store = await app.createStore('shop')
  const call = async (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ) => {
    const url = `/api/v1/stores/${store.id}/${path}`
    const answer = await app.call({ method, url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, `${path}: ${answer.body}`)
  }
  await call('POST', 'schema', {
    fields: [
      { name: 'title', type: 'string', searchable: true },
      { name: 'brand', type: 'string', searchable: true, facet: true },
      { name: 'tags', type: 'string[]', searchable: true, facet: true },
      { name: 'description', type: 'string', searchable: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      { name: 'sold_out', type: 'bool', facet: true },
    ],
  })
  const rules = new Set<string>()
  const settings = new Set<string>()
  let section = ''
  let found: Record<string, unknown> = {}
  let answers = 0
  for (const block of blocksOf(readSource(page).text)) {
    if (block.section !== section) {
      for (const id of rules) await call('DELETE', `rules/${id}`)
      rules.clear()
      for (const name of settings) await call('PATCH', 'settings', { [name]: null })
      settings.clear()
      section = block.section
    }
    const [what, id = ''] = block.what.split(' ')
    if (what === 'documents') await call('POST', 'documents/bulk', { documents: block.value })
    else if (what === 'rule') await call('PUT', `rules/${id}`, block.value)
    else if (what === 'settings') {
      await call('PATCH', 'settings', block.value)
      for (const name of Object.keys(block.value as object)) settings.add(name)
    } else if (what === 'search') {
      const [url, headers] = ['/v1/search', store.read]
      const { hits, ...rest } = (
        await app.call({ method: 'POST', url, headers, body: block.value })
      ).json()
      const names = hits.map((hit: { id: string; curated?: true }) =>
        hit.curated === true ? `${hit.id} curated` : hit.id,
      )
      found = names.length === 0 ? rest : { hits: names, ...rest }
    } else {
      answers++
      const expected = block.value as object
      const always = ['hits', 'applied_rules', 'metadata', 'rewritten_query', 'warnings']
      const shown = new Set([...Object.keys(expected), ...always])
      const given = Object.entries(found).filter(([key]) => shown.has(key))
      assert.deepEqual(Object.fromEntries(given), expected, `${section}: answer ${answers}`)
    }
    if (what === 'rule') rules.add(id)
  }
  assert.ok(answers >= 6)
}
