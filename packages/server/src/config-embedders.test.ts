import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { memoryFolder } from '@aisle/testing'
import { writeFixtureModel } from './adapters/embedders/test/fixture-model.ts'
import { readEmbedders } from './config-embedders.ts'
import { readConfig } from './config.ts'
import type { EmbedderConfig } from './ports/search/embedder-config.ts'

const folder = memoryFolder('aisle-embedders-file-')
const file = join(folder, 'embedders.json')
const model = join(folder, 'model')
const table = join(folder, 'words.txt')
writeFixtureModel(model)
writeFileSync(table, 'gas 1 0 0 0 0 0 0 0\n')
after(() => rmSync(folder, { recursive: true }))

const ENDPOINT = {
  kind: 'endpoint',
  url: 'https://api.example.com/v1',
  model: 'small',
  dimensions: 512,
}

function read(embedders: unknown): readonly EmbedderConfig[] {
  writeFileSync(file, typeof embedders === 'string' ? embedders : JSON.stringify({ embedders }))
  return readEmbedders(file, { PATH: '/bin', AISLE_ADMIN_TOKEN: 'secret' })
}

function one(value: object): EmbedderConfig {
  const [config = assert.fail()] = read({ one: value })
  return config
}

suite('the file of embedders', () => {
  test('each kind has its members and defaults', () => {
    const [endpoint, local, words] = read({
      openai: { ...ENDPOINT, url: 'https://api.example.com/v1/', api_key: 'sk-1' },
      minilm: { kind: 'folder', path: model, dimensions: 8 },
      glove: { kind: 'table', path: table, dimensions: 8, query_prefix: 'q ' },
    })
    assert.ok(endpoint?.kind === 'endpoint' && local?.kind === 'folder' && words?.kind === 'table')
    assert.equal(endpoint.url, 'https://api.example.com/v1')
    assert.deepEqual(
      [endpoint.apiKey, endpoint.timeoutMs, endpoint.textsPerRequest],
      ['sk-1', 10_000, 32],
    )
    assert.deepEqual([local.file, local.pooling, local.tokensMax], ['model.onnx', 'mean', 256])
    assert.deepEqual(local.environment, { PATH: '/bin' }, 'no secret of the service')
    assert.deepEqual([words.queryPrefix, words.documentPrefix, words.wordsMax], ['q ', '', 500_000])
    assert.deepEqual(readEmbedders(undefined, {}), [])
  })

  test('a folder of Sentence Transformers says how it pools and what it reads', () => {
    mkdirSync(join(model, '1_Pooling'), { recursive: true })
    writeFileSync(join(model, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}')
    writeFileSync(join(model, 'sentence_bert_config.json'), '{"max_seq_length": 128}')
    const config = one({ kind: 'folder', path: model, dimensions: 8 })
    assert.ok(config.kind === 'folder')
    assert.deepEqual([config.pooling, config.tokensMax], ['cls', 128])
  })

  test('a fingerprint follows the model, not its host, key or query prefix', () => {
    const fingerprintOf = (more: object): string => one({ ...ENDPOINT, ...more }).fingerprint
    const first = fingerprintOf({})
    const same = { url: 'https://other.example.com/v1', api_key: 'x', query_prefix: 'query: ' }
    assert.equal(fingerprintOf(same), first)
    for (const other of [{ model: 'large' }, { dimensions: 256 }, { document_prefix: 'p: ' }]) {
      assert.notEqual(fingerprintOf(other), first)
    }
    const local = { kind: 'folder', path: model, dimensions: 8 }
    const before = one(local).fingerprint
    writeFixtureModel(model, 'token_embeddings')
    assert.notEqual(one(local).fingerprint, before)
  })

  test('http needs permission, except for this machine', () => {
    for (const url of ['http://localhost:11434/v1', 'http://127.0.0.1/v1', 'http://[::1]:8080']) {
      assert.equal(one({ ...ENDPOINT, url }).kind, 'endpoint')
    }
    const url = 'http://models.internal:8000/v1'
    assert.throws(() => one({ ...ENDPOINT, url }), /must begin with https/)
    assert.equal(one({ ...ENDPOINT, url, allow_http: true }).kind, 'endpoint')
    // A name that looks like an address of this machine.
    assert.throws(
      () => one({ ...ENDPOINT, url: 'http://127.example.com' }),
      /must begin with https/,
    )
  })

  test('errors are one line: the file, the embedder, the member, what was expected', () => {
    const bad: [unknown, RegExp][] = [
      ['{', /is not JSON/],
      ['[]', /must be a JSON object/],
      ['{"embedders": {}, "more": 1}', /has no member "more"/],
      [[], /"embedders" must be a JSON object/],
      [{ 'a b': ENDPOINT }, /name of an embedder .* received "a b"/],
      [{ x: 1 }, /Embedder "x" of .* must be a JSON object/],
      [{ x: { ...ENDPOINT, kind: 'cloud' } }, /"kind" must be one of endpoint, folder, table/],
      [{ x: { ...ENDPOINT, dimensions: 7 } }, /"dimensions" must be a whole number from 8 to 4096/],
      [{ x: { ...ENDPOINT, dimensions: undefined } }, /"dimensions" .* received nothing/],
      [{ x: { ...ENDPOINT, model: undefined } }, /"model" must be a non-empty string/],
      [{ x: { ...ENDPOINT, modle: 'x' } }, /has no member "modle"/],
      [{ x: { ...ENDPOINT, url: 'ftp://x' } }, /"url" must be an address/],
      [{ x: { ...ENDPOINT, url: 'https://u:p@x' } }, /must not contain a password/],
      [{ x: { ...ENDPOINT, api_key: 'two\nlines' } }, /"api_key" must be a string of visible/],
      [{ x: { ...ENDPOINT, timeout_ms: 1 } }, /"timeout_ms"/],
      [{ x: { kind: 'folder', path: folder, dimensions: 8 } }, /must be a folder with model.onnx/],
      [{ x: { kind: 'folder', path: model, file: 'x', dimensions: 8 } }, /folder with x/],
      [{ x: { kind: 'table', path: folder, dimensions: 8 } }, /must be a file of words/],
      [{ x: { kind: 'table', path: table, dimensions: 4_096 } }, /"words_max" must be at most/],
      [Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`e${i}`, ENDPOINT])), /at most 16/],
    ]
    for (const [embedders, expected] of bad) {
      assert.throws(
        () => read(embedders),
        ({ name, message }: Error) => {
          assert.equal(name, 'ConfigError')
          assert.match(message, expected)
          assert.doesNotMatch(message, /\n|two/)
          return true
        },
      )
    }
    assert.throws(() => readEmbedders(join(folder, 'none.json'), {}), /ENOENT/)
  })

  test('the option names the file, on a cluster too', () => {
    read({ openai: ENDPOINT })
    const config = readConfig(['--embedders-file', file], {})
    assert.ok(config !== 'help')
    assert.deepEqual(
      config.embedders.map(({ name }) => name),
      ['openai'],
    )
    const flags = ['--embedders-file', file, '--opensearch-url', 'http://localhost:9200']
    const onCluster = readConfig(flags, {})
    assert.ok(onCluster !== 'help')
    assert.equal(onCluster.embedders.length, 1)
  })
})
