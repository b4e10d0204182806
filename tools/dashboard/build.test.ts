import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { buildDashboard } from '../../packages/dashboard/build/build-dashboard.ts'
import { REPOSITORY } from '@aisle/testing'

const DIST = join(REPOSITORY, 'packages/dashboard/dist')
/** What a browser loads before the first screen, compressed with gzip. */
const FIRST_LOAD_MAX_BYTES = 180_000

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

suite('the build of the dashboard', () => {
  before(() => buildDashboard())

  test('is done once: a second one finds nothing to do', async () => {
    assert.equal(await buildDashboard(), false)
  })

  test(`what is loaded first is at most ${FIRST_LOAD_MAX_BYTES / 1_000} kB`, () => {
    const manifest = JSON.parse(readText('manifest.json')) as Record<string, Chunk>
    const files = new Set<string>()
    const collect = (name: string): void => {
      const { file, imports = [], css = [] } = manifest[name]!
      if (files.has(file)) return
      for (const one of [file, ...css]) files.add(one)
      imports.forEach(collect)
    }
    Object.keys(manifest)
      .filter((name) => manifest[name]!.isEntry)
      .forEach(collect)
    const bytes = [...files].map((file) => readFileSync(join(DIST, `${file}.gz`)).length)
    const total = bytes.reduce((sum, one) => sum + one, 0)
    assert.ok(files.size >= 2)
    assert.ok(total <= FIRST_LOAD_MAX_BYTES, `${total} bytes: ${[...files].join(', ')}`)
  })

  test('the page has no inline code and names no other host', () => {
    const html = readText('index.html')
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=/)
    assert.doesNotMatch(html, /https?:\/\//)
  })
})

function readText(name: string): string {
  return readFileSync(join(DIST, name), 'utf8')
}
