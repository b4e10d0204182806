import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { memoryFolder } from '@aisle/testing'
import type { FolderConfig } from '../../ports/search/embedder-config.ts'
import { embedderConformance } from '../../ports/search/embedder.conformance.ts'
import { FolderEmbedder } from './folder-embedder.ts'
import { folderConfig, withoutOnnx } from './test/fixture-configs.ts'
import { writeFixtureModel } from './test/fixture-model.ts'

const NEVER = new AbortController().signal
const skip = withoutOnnx()

embedderConformance('a model folder', () => Promise.resolve(openFolder()), skip)

function openFolder(more: Partial<FolderConfig> = {}): FolderEmbedder {
  const folder = memoryFolder('aisle-model-')
  writeFixtureModel(folder)
  return openAt(folder, more)
}

function openAt(folder: string, more: Partial<FolderConfig> = {}): FolderEmbedder {
  const embedder = new FolderEmbedder(folderConfig(folder, more), { nowMs: () => 0 })
  const close = embedder[Symbol.asyncDispose].bind(embedder)
  return Object.assign(embedder, {
    [Symbol.asyncDispose]: async () => {
      await close()
      rmSync(folder, { recursive: true })
    },
  })
}

suite('a model folder', { skip }, () => {
  test('small calls go before large ones', async () => {
    await using embedder = openFolder()
    await embedder.ready()
    const done: string[] = []
    const large = Array.from({ length: 200 }, () => 'gas stove')
    await Promise.all([
      embedder.embed(large, 'document', NEVER).then(() => done.push('large')),
      embedder.embed(['lamp'], 'query', NEVER).then(() => done.push('small')),
    ])
    assert.deepEqual(done, ['small', 'large'])
  })

  test('a process that ends is replaced; its callers are told', async () => {
    await using embedder = openFolder()
    const [before] = await embedder.embed(['gas stove'], 'query', NEVER)
    const large = embedder.embed(
      Array.from({ length: 256 }, () => 'gas'),
      'document',
      NEVER,
    )
    embedder.endProcess()
    await assert.rejects(large, { name: 'EmbedderUnavailable', message: /process ended/ })
    const [after] = await embedder.embed(['gas stove'], 'query', NEVER)
    assert.deepEqual(after, before)
  })

  test('a model that cannot be used is unavailable, with the reason', async () => {
    await using short = openFolder({ dimensions: 16 })
    const call = short.embed(['gas'], 'query', NEVER)
    await assert.rejects(call, { message: /8 dimensions, but 16/ })
    const folder = memoryFolder('aisle-model-')
    writeFixtureModel(folder)
    writeFileSync(join(folder, 'model.onnx'), 'no model')
    await using broken = openAt(folder)
    await assert.rejects(broken.ready(), { name: 'EmbedderUnavailable', message: /model/i })
  })

  test('the first token may stand for the text', async () => {
    await using mean = openFolder()
    await using cls = openFolder({ pooling: 'cls' })
    const [first] = await cls.embed(['gas stove'], 'query', NEVER)
    const [other] = await cls.embed(['cotton shirt'], 'query', NEVER)
    // The fixture looks every token up, so the first one is always the same.
    assert.deepEqual(first, other)
    assert.notDeepEqual((await mean.embed(['gas stove'], 'query', NEVER))[0], first)
  })

  test('a text longer than the model reads is cut', async () => {
    await using embedder = openFolder({ tokensMax: 8 })
    const [long] = await embedder.embed([`${'gas '.repeat(100)}shirt`], 'query', NEVER)
    const [cut] = await embedder.embed(['gas '.repeat(6)], 'query', NEVER)
    assert.deepEqual(long, cut)
  })
})
