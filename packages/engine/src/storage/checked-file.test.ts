import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { CorruptDataError } from '../codec/section-file.ts'
import { keepCheckedFile, readCheckedFile, writeCheckedFile } from './checked-file.ts'

suite('checked files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-checked-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'file')
  const content = Uint8Array.from({ length: 24 }, (_, i) => (i * 37) & 0xff)

  test('a file is read as written, an empty one too', async () => {
    for (const bytes of [content, new Uint8Array(0)]) {
      const checksum = writeCheckedFile(path, bytes)
      assert.deepEqual(new Uint8Array(await readCheckedFile(path, checksum)), bytes)
    }
  })

  test('detects every flipped bit and every truncation', async () => {
    writeCheckedFile(path, content)
    const whole = readFileSync(path)
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, damaged)
      await assert.rejects(readCheckedFile(path), CorruptDataError, `bit ${bit}`)
    }
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length))
      await assert.rejects(readCheckedFile(path), CorruptDataError, `length ${length}`)
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]))
    await assert.rejects(readCheckedFile(path), CorruptDataError)
  })

  test('a file of several chunks is read as written, and damage in any of them is detected', async () => {
    const large = Uint8Array.from({ length: 9_000_001 }, (_, i) => (i * 37 + (i >> 12)) & 0xff)
    const checksum = writeCheckedFile(path, large)
    assert.ok(Buffer.from(large).equals(new Uint8Array(await readCheckedFile(path, checksum))))
    const whole = readFileSync(path)
    for (const at of [0, (4 << 20) - 1, 4 << 20, 8 << 20, large.length - 1]) {
      const damaged = Buffer.from(whole)
      damaged[at]! ^= 1
      writeFileSync(path, damaged)
      await assert.rejects(readCheckedFile(path), CorruptDataError, `byte ${at}`)
    }
  })

  test('rejects an intact file with another checksum than expected', async () => {
    const checksum = writeCheckedFile(path, content)
    writeCheckedFile(path, content.toReversed())
    await assert.rejects(readCheckedFile(path, checksum), CorruptDataError)
  })

  test('keeps a file with equal content and overwrites any other', async () => {
    writeCheckedFile(path, content)
    const { ino } = statSync(path)
    keepCheckedFile(path, content)
    assert.equal(statSync(path).ino, ino)
    const other = content.toReversed()
    const checksum = keepCheckedFile(path, other)
    assert.deepEqual(new Uint8Array(await readCheckedFile(path, checksum)), other)
    writeFileSync(path, readFileSync(path).subarray(1))
    keepCheckedFile(path, other)
    assert.deepEqual(new Uint8Array(await readCheckedFile(path, checksum)), other)
  })
})
