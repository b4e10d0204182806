import assert from 'node:assert/strict'
import { createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { SealedSecrets, SECRETS_FORMAT, SecretsError } from './sealed-secrets.ts'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const store = {
  id: 'store:shop',
  kind: 'store',
  json: '{"readSecret":"rs_ö","n":9007199254740993}',
}

suite('sealed secrets', () => {
  test('are readable with the key, and with the description of the format', () => {
    const secrets = new SealedSecrets([newKey])
    const json = secrets.seal(store)
    assert.ok(!json.includes('rs_'))
    assert.equal(secrets.open({ ...store, json }), store.json)
    assert.notEqual(secrets.seal(store), json, 'each has its own nonce')

    const [algorithm, name, text] = json.split(':') as [string, string, string]
    const named = createHash('sha256').update('aisle-secrets-key\n').update(newKey).digest('hex')
    assert.deepEqual([algorithm, name], ['aes-256-gcm', named.slice(0, 16)])
    const bytes = Buffer.from(text, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', newKey, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(store.id)).setAuthTag(bytes.subarray(-16))
    const plain =
      decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
    assert.equal(plain, store.json)
  })

  test('are kinds with secrets; all else, and removed documents, stay as they are', () => {
    const secrets = new SealedSecrets([newKey])
    for (const other of [
      { ...store, kind: 'node' },
      { ...store, json: '' },
    ]) {
      assert.equal(secrets.seal(other), other.json)
      assert.equal(secrets.isOutdated(other), false)
    }
    for (const kind of ['store', 'user']) {
      assert.ok(secrets.seal({ ...store, kind }).startsWith('aes-256-gcm:'), kind)
    }
  })

  test('show the format of the settings, and nothing else, to nodes of older formats', () => {
    const secrets = new SealedSecrets([newKey])
    const json = '{"deviceKey":"dk_1","format":4}'
    const settings = { id: 'settings:installation', kind: 'settings', json }
    const sealed = secrets.seal(settings)
    const { format, sealed: text, ...others } = JSON.parse(sealed)
    assert.deepEqual([format, others], [4, {}])
    assert.match(text, /^aes-256-gcm:/)
    assert.equal(secrets.open({ ...settings, json: sealed }), json)
    assert.equal(secrets.isOutdated({ ...settings, json: sealed }), false)
    assert.ok(new SealedSecrets(['plain', newKey]).isOutdated({ ...settings, json: sealed }))
    assert.ok(new SealedSecrets([oldKey, newKey]).isOutdated({ ...settings, json: sealed }))
    const plain = '{"format":2,"deviceKey":"dk_1"}'
    assert.equal(secrets.open({ ...settings, json: plain }), plain)
    assert.ok(secrets.isOutdated({ ...settings, json: plain }))
    // In a new installation, before any node has set a format.
    assert.equal(JSON.parse(secrets.seal({ ...settings, json: '{}' })).format, SECRETS_FORMAT)
  })

  test('are plain until the format allows it', () => {
    const secrets = new SealedSecrets([newKey], false)
    assert.equal(secrets.seal(store), store.json)
    assert.equal(secrets.begin(SECRETS_FORMAT - 1), false)
    assert.equal(secrets.seal(store), store.json)
    assert.equal(secrets.begin(SECRETS_FORMAT), true)
    assert.equal(secrets.begin(SECRETS_FORMAT), false, 'only once')
    assert.match(secrets.seal(store), /^aes-256-gcm:/)
  })

  test('are bound to their document: another id, a changed byte or a cut is an error', () => {
    const secrets = new SealedSecrets([newKey])
    const json = secrets.seal(store)
    const swapped = json.slice(0, -2) + (json.endsWith('AA') ? 'BB' : 'AA')
    for (const wrong of [
      { id: 'store:other', json },
      { id: store.id, json: swapped },
      { id: store.id, json: json.slice(0, -30) },
      { id: store.id, json: json.slice(0, json.lastIndexOf(':') + 1) },
    ]) {
      assert.throws(() => secrets.open(wrong), SecretsError)
    }
  })

  test('of another key are refused with what to do', () => {
    const json = new SealedSecrets([oldKey]).seal(store)
    assert.throws(() => new SealedSecrets().open({ ...store, json }), /--secrets-key-file/)
    assert.throws(() => new SealedSecrets([newKey]).open({ ...store, json }), /no key in the file/)
  })

  test('are rotated: both keys read, the first one writes, and the rest is outdated', () => {
    const plain = store.json
    const byOld = new SealedSecrets([oldKey]).seal(store)
    const byNew = new SealedSecrets([newKey]).seal(store)
    const rotations = [
      { keys: ['plain', newKey], outdated: [byNew] },
      { keys: [newKey, 'plain'], outdated: [plain] },
      { keys: [newKey, oldKey], outdated: [plain, byOld] },
      { keys: [oldKey, newKey], outdated: [plain, byNew] },
    ] as const
    for (const { keys, outdated } of rotations) {
      const secrets = new SealedSecrets(keys)
      for (const json of [plain, byOld, byNew]) {
        if (json === byOld && !(keys as readonly unknown[]).includes(oldKey)) continue
        assert.equal(secrets.open({ ...store, json }), plain)
        assert.equal(
          secrets.isOutdated({ ...store, json }),
          (outdated as readonly string[]).includes(json),
        )
      }
      assert.equal(secrets.isOutdated({ ...store, json: secrets.seal(store) }), false)
    }
  })
})
