import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openApiText } from '../openapi-text.ts'
import {
  isFound,
  operationsOf,
  storeAskedFor,
  type OpenApi,
} from '../../packages/dashboard/src/parts/operations.ts'
import {
  buildRequest,
  curlOf,
  emptyRequest,
  missingParameters,
} from '../../packages/dashboard/src/screens/explorer/request.ts'

const DOCUMENT = JSON.parse(await openApiText()) as OpenApi
const operations = operationsOf(DOCUMENT)
const operation = (id: string): (typeof operations)[number] =>
  operations.find((one) => one.id === id)!

suite('requests of the explorer', () => {
  test('every operation is listed once, with what opens it', () => {
    assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
    const search = operation('search')
    assert.equal(search.key, 'read')
    assert.equal(search.isOfStore, true)
    assert.equal(search.refusal, undefined)
    assert.equal(operation('getHealth').role, undefined)
    assert.equal(operation('putRule').role, 'editor')
    assert.equal(operation('clearDocuments').isOfStore, true)
    assert.equal(operation('createStore').key, 'admin')
    assert.match(operation('ingestEvents').refusal!, /key/)
    assert.match(operation('logOut').refusal!, /session/)
    assert.ok(isFound(search, 'SEARCH post'))
    assert.ok(!isFound(search, 'search nowhere'))
  })

  test('each says which store it is about, for people with roles in some stores', () => {
    const about = (id: string) => storeAskedFor(operation(id), 'open', 'named')
    assert.equal(about('search'), 'open')
    assert.equal(about('putRule'), 'open')
    assert.equal(about('getStore'), 'named')
    assert.equal(about('createStore'), undefined)
    assert.equal(about('createUser'), undefined)
    assert.ok(operation('listStores').isOfEachStore)
    assert.ok(operation('getActivity').isOfEachStore)
    assert.ok(!operation('getServiceMetrics').isOfEachStore)
  })

  test('the store and the values go into their places', () => {
    const read = operation('getDocument')
    const empty = emptyRequest(read, 'camp')
    assert.deepEqual(missingParameters(read, empty), ['document_id'])
    const filled = { ...empty, parameters: { ...empty.parameters, document_id: 'a/b ä' } }
    assert.deepEqual(buildRequest(read, filled, 'other'), {
      method: 'GET',
      path: '/api/v1/stores/camp/documents/a%2Fb%20%C3%A4',
      headers: { 'x-storeid': 'camp' },
      body: undefined,
    })
    const byUrl = operation('searchByUrl')
    const request = buildRequest(byUrl, { parameters: { q: 'a b', page: '' }, body: '' }, 'camp')
    assert.equal(request.path, '/v1/search?q=a+b')
    assert.deepEqual(request.headers, { 'x-storeid': 'camp' })
  })

  test('curl has a key in the place of the session, and foreign text in quotes', () => {
    const rule = operation('putRule')
    const draft = { parameters: { id: 'camp', name: 'x' }, body: `{"a":"it's"}` }
    assert.equal(
      curlOf(buildRequest(rule, draft, 'camp'), rule.key, 'https://h'),
      [
        `curl -X PUT 'https://h/api/v1/stores/camp/rules/x'`,
        `-H 'x-storeid: camp'`,
        `-H 'content-type: application/json'`,
        `-H 'x-store-write-secret: WRITE_SECRET'`,
        String.raw`-d '{"a":"it'\''s"}'`,
      ].join(' \\\n  '),
    )
  })
})
