import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ServerProcess, ThinClient, until, type StoreKeys } from '@aisle/testing'
import { EXIT_CODES } from '../packages/cli/src/index.ts'
import { similarityCut } from '../packages/client/src/index.ts'
import { runAisle } from './lib/run-aisle.ts'

/** Words around a circle: neighbours are similar. */
const WORDS = Array.from({ length: 48 }, (_, i) => {
  const letters = `${'abcdefgh'[i % 8]}${'klmnpr'[Math.floor(i / 8)]}`
  return { word: `word${letters}`, angle: (i * Math.PI) / 48 }
})

let folder: string
let server: ServerProcess
let client: ThinClient
let keys: StoreKeys
let environment: Record<string, string>

suite('aisle embedder calibrate', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aisle-calibrate-'))
    const lines = WORDS.map(({ word, angle }) =>
      [word, Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, 0, 0].join(' '),
    )
    writeFileSync(join(folder, 'words.txt'), `${lines.join('\n')}\n`)
    const file = join(folder, 'embedders.json')
    const words = { kind: 'table', path: join(folder, 'words.txt'), dimensions: 8 }
    writeFileSync(file, JSON.stringify({ embedders: { words } }), { mode: 0o600 })
    server = await ServerProcess.start({ threads: 1, environment: { AISLE_EMBEDDERS_FILE: file } })
    client = new ThinClient(server.url, { adminToken: server.adminToken })
    keys = await client.createStore({ name: 'Shop', id: 'shop' })
    await client.setSchema(keys, { fields: [{ name: 'title', type: 'string', searchable: true }] })
    const documents = WORDS.map(({ word }, i) =>
      JSON.stringify({ id: String(i), data: { title: word } }),
    )
    await client.bulk(keys, documents)
    environment = {
      AISLE_URL: server.url,
      AISLE_STORE: keys.storeId,
      AISLE_WRITE_SECRET: keys.writeSecret,
    }
  })
  after(async () => {
    client.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const calibrate = (answers: readonly string[], words: readonly string[] = []) =>
    runAisle(['embedder', 'calibrate', ...words], { environment, answers })
  const cutInForce = async () =>
    (await client.store(keys).settings()).semantic?.min_similarity ?? null

  test('says what is missing: the setting, vectors, a terminal', async () => {
    const refused = await calibrate(['y'])
    assert.equal(refused.exit, EXIT_CODES.refused.code)
    assert.match(refused.err, /no setting `semantic`/)
    const alone = await calibrate([])
    assert.equal(alone.exit, EXIT_CODES.usage.code)
    assert.match(alone.err, /needs a terminal/)
  })

  test('the answers make the cut, which is set if the person agrees', async () => {
    await client.setSettings(keys, { semantic: { embedder: 'words', weight: 0.4 } })
    await until('all documents have a vector', async () => {
      const { embedding } = await client.store(keys).settings()
      return embedding?.state === 'ready' && embedding.documents_done === WORDS.length
    })
    const { pairs, embedder } = await client.store(keys).similarityPairs()
    assert.equal(embedder, 'words')
    assert.equal(pairs.length, 60)
    assert.ok(pairs.every(({ query, text }) => query !== text))
    const similarities = pairs.map(({ similarity }) => similarity)
    assert.ok(Math.min(...similarities.slice(0, 12)) < 0.3)
    assert.ok(Math.max(...similarities.slice(0, 12)) > 0.9)
    // Skips the seventh, and accepts one that is far away.
    const answers = pairs.map(({ similarity }, i) =>
      i === 6 ? 's' : similarity >= 0.6 || i === 3 ? 'y' : 'n',
    )
    const judged = pairs.flatMap(({ similarity }, i) =>
      answers[i] === 's' ? [] : [{ similarity, isRight: answers[i] === 'y' }],
    )
    const { cut } = similarityCut(judged)
    assert.ok(cut !== undefined && cut > 0.3 && cut <= 0.8, String(cut))
    const declined = await calibrate([...answers, 'n'])
    assert.equal(declined.exit, EXIT_CODES.ok.code, declined.err)
    assert.match(declined.out, /Nothing was changed/)
    assert.equal(await cutInForce(), null)
    const json = await calibrate([...answers, 'y'], ['--json'])
    assert.deepEqual(JSON.parse(json.out), {
      judged: 59,
      proposed: cut,
      min_similarity: cut,
      is_changed: true,
    })
    const { semantic } = await client.store(keys).settings()
    assert.deepEqual([semantic?.min_similarity, semantic?.weight], [cut, 0.4])
  })

  test('too few answers change nothing', async () => {
    const before = await cutInForce()
    const ended = await calibrate(['y', 'y', 'q'])
    assert.equal(ended.exit, EXIT_CODES.ok.code, ended.err)
    assert.match(ended.out, /^2 pairs judged: .*Nothing was changed/)
    assert.equal(await cutInForce(), before)
    const fewer = await calibrate(['q'], ['--pairs', '0'])
    assert.equal(fewer.exit, EXIT_CODES.refused.code)
    assert.match(fewer.err, /limit/)
  })
})
