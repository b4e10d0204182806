import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { packArchive, unpackArchive } from './settings-archive.ts'

const FILES = new Map([
  ['schema.yaml', 'fields: []\n'],
  ['rules/m%C3%BCsli.yaml', 'note: "ü 🏕️"\n'],
])

suite('settings as an archive', () => {
  test('what was packed comes back, and the same settings make the same archive', () => {
    assert.deepEqual(unpackArchive(packArchive(FILES)), FILES)
    assert.deepEqual(packArchive(FILES), packArchive(new Map(FILES)))
  })

  test('a folder around the files is taken off, and other files are passed over', () => {
    const archive = zipSync({
      'shop/': new Uint8Array(),
      'shop/README.md': strToU8('#'),
      'shop/schema.yaml': strToU8('fields: []\n'),
      'shop/rules/m%C3%BCsli.yaml': strToU8('note: "ü 🏕️"\n'),
      'shop/old/schema.yaml': strToU8('fields: [1]\n'),
      'shop/rules/._a.yaml': strToU8('x'),
      '__MACOSX/shop/rules/._a.yaml': strToU8('x'),
      '../rules/up.yaml': strToU8('x: 1'),
    })
    assert.deepEqual(unpackArchive(archive), FILES)
    const single = zipSync({ 'shop/rules/a.yaml': strToU8('a: 1') })
    assert.deepEqual([...unpackArchive(single).keys()], ['rules/a.yaml'])
  })

  test('refuses what is not an archive of settings', () => {
    assert.throws(() => unpackArchive(strToU8('schema: 1')), /Not a zip archive/)
    assert.throws(() => unpackArchive(packArchive(FILES).subarray(0, 60)), /Not a zip archive/)
    assert.throws(() => unpackArchive(zipSync({ 'a.txt': strToU8('a') })), /no store files/)
    const large = new Uint8Array(65_000_000)
    assert.throws(
      () => unpackArchive(zipSync({ 'schema.yaml': [large, { level: 0 }] })),
      /more than 64 MB/,
    )
  })
})
