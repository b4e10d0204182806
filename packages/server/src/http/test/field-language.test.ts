import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('two-languages')
const schema = (fields: object[]) =>
  testApp.call({
    method: 'POST',
    url: `/api/v1/stores/${store.id}/schema`,
    headers: store.write,
    body: { fields },
  })

suite('a field in another language than its store', () => {
  const title = { name: 'title', type: 'string', searchable: true }

  test('is found by inflections of either, and marked', async () => {
    const titel = { name: 'titel', type: 'string', searchable: true, language: 'DE-at' }
    const defined = await schema([title, titel])
    assert.equal(defined.statusCode, 200, defined.body)
    const url = `/api/v1/stores/${store.id}/documents/bulk`
    const documents = [
      { id: '1', title: 'Houses of glass', titel: 'Häuser aus Glas' },
      { id: '2', title: 'A running shoe', titel: 'Ein Laufschuh für Kinder' },
    ]
    await testApp.call({ method: 'POST', url, headers: store.write, body: { documents } })
    const find = async (q: string) => {
      const body = { q, explain: true, typo_max: 0, prefix_mode: 'off' }
      const answer = await testApp.call({
        method: 'POST',
        url: '/v1/search',
        headers: store.read,
        body,
      })
      return answer.json()
    }
    const [hit] = (await find('Haus')).hits
    assert.equal(hit.id, '1')
    assert.deepEqual(hit.highlight, { titel: '<mark>Häuser</mark> aus Glas' })
    const [alternative] = hit.explanation.words[0].alternatives
    assert.equal(alternative.variant, 'stem')
    assert.deepEqual(alternative.forms, ['haus'])
    assert.deepEqual((await find('house')).hits[0].highlight, {
      title: '<mark>Houses</mark> of glass',
    })
    assert.equal((await find('Kindern')).found, 1)
    const stored = await testApp.call({
      url: `/api/v1/stores/${store.id}/schema`,
      headers: store.write,
    })
    assert.equal(stored.json().fields[1].language, 'de-AT')
  })

  test('must be text that is searched, and the language a tag', async () => {
    const bad = [
      { ...title, name: 'a', language: 'no such language' },
      { ...title, name: 'b', language: 7 },
      { name: 'c', type: 'float', facet: true, language: 'de' },
      { name: 'd', type: 'string', facet: true, language: 'de' },
    ]
    for (const field of bad) {
      const { statusCode, ...answer } = await schema([field])
      assert.equal(statusCode, 400, field.name)
      assert.equal(answer.json().code, 'invalid_schema')
      assert.equal(answer.json().param, 'fields[0].language')
    }
    const again = await schema([{ ...title, language: 'de' }])
    assert.match(again.json().warnings[0], /stays string \(searchable\)/)
  })
})
