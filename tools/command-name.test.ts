import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { SERVICE_PACKAGE } from './lib/build-service-package.ts'
import { readSource, repositoryFiles } from './lib/source-files.ts'

// Goal: nobody is told to run a stranger's package. `aisle` is one on the registry, and outside of
// a clone `npx` would fetch it. Method: checks every text of the repository, and the names that npm
// links.

const TEXTS = /\.(md|tsx?|jsx?|html|css|json|ya?ml|sh|service|txt)$|(^|\/)(Dockerfile|aisle)$/
/** The bare name, with or without options of npx. */
const STRANGER = /\b(npx|npm exec|pnpm dlx|yarn dlx|bunx)( +-[-\w]+)* +aisle(?![-\w])/

const manifest = (path: string) =>
  JSON.parse(readSource(path).text) as { readonly bin?: Readonly<Record<string, string>> }

suite('the name of the command', () => {
  test('is ours in every text that runs it with npx', () => {
    const files = repositoryFiles().filter((path) => TEXTS.test(path))
    assert.ok(files.length > 1_000)
    const found = files.flatMap((path) =>
      readSource(path)
        .text.split('\n')
        .flatMap((line, i) => (STRANGER.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
    )
    assert.deepEqual(found, [])
  })

  test('is distinguished from others', () => {
    const [npx, name] = ['npx', 'aisle']
    for (const text of [`${npx} ${name} import`, `\`${npx} ${name}\``, `${npx} --yes ${name} x`]) {
      assert.match(text, STRANGER)
    }
    assert.doesNotMatch(`${npx} ${SERVICE_PACKAGE} import`, STRANGER)
  })

  test('is linked in a clone as by the package', () => {
    const { bin = {} } = manifest('packages/cli/package.json')
    assert.deepEqual(Object.keys(bin), ['aisle', SERVICE_PACKAGE])
    for (const file of Object.values(bin)) {
      assert.ok(existsSync(join(REPOSITORY, 'packages/cli', file)), file)
    }
    const lock = JSON.parse(readSource('package-lock.json').text) as {
      readonly packages: Readonly<Record<string, { readonly bin?: object }>>
    }
    assert.deepEqual(Object.keys(lock.packages['packages/cli']?.bin ?? {}), Object.keys(bin))
  })
})
