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

  test('a file is read as it was written, an empty one too', () => {
    for (const bytes of [content, new Uint8Array(0)]) {
      const checksum = writeCheckedFile(path, bytes)
      assert.deepEqual(new Uint8Array(readCheckedFile(path, checksum)), bytes)
    }
  })

  test('every flipped bit and every truncation is noticed', () => {
    writeCheckedFile(path, content)
    const whole = readFileSync(path)
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, damaged)
      assert.throws(() => readCheckedFile(path), CorruptDataError, `bit ${bit}`)
    }
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length))
      assert.throws(() => readCheckedFile(path), CorruptDataError, `length ${length}`)
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]))
    assert.throws(() => readCheckedFile(path), CorruptDataError)
  })

  test('a whole file with another checksum than the expected one is refused', () => {
    const checksum = writeCheckedFile(path, content)
    writeCheckedFile(path, content.toReversed())
    assert.throws(() => readCheckedFile(path, checksum), CorruptDataError)
  })

  test('a file is kept when it has the content already, and written over when not', () => {
    writeCheckedFile(path, content)
    const { ino } = statSync(path)
    keepCheckedFile(path, content)
    assert.equal(statSync(path).ino, ino)
    const other = content.toReversed()
    const checksum = keepCheckedFile(path, other)
    assert.deepEqual(new Uint8Array(readCheckedFile(path, checksum)), other)
    writeFileSync(path, readFileSync(path).subarray(1))
    keepCheckedFile(path, other)
    assert.deepEqual(new Uint8Array(readCheckedFile(path, checksum)), other)
  })
})
