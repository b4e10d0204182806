import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource, repositoryFiles } from './lib/source-files.ts'

const page = readSource('docs/promises.md').text
const files = new Set(repositoryFiles())

test('ten promises, each with existing tests', () => {
  const promises = page.split(/^## P/m).slice(1)
  assert.equal(promises.length, 10)
  for (const promise of promises) {
    const named = [...promise.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, path]) => path!)
    assert.ok(named.length > 0, promise.slice(0, 40))
    assert.deepEqual(
      named.filter((path) => !files.has(path)),
      [],
    )
  }
})

test('every named command is a script, and accepts its arguments', () => {
  const { scripts } = JSON.parse(readSource('package.json').text) as {
    scripts: Record<string, string>
  }
  const commands = [...page.matchAll(/`npm run (\w+)([^`]*)`/g)]
  assert.ok(commands.length > 8)
  for (const [command, name, rest] of commands) {
    const tool = /^node (\S+\.ts)/.exec(scripts[name!] ?? '')?.[1]
    assert.ok(tool !== undefined, command)
    const source = readSource(tool).text
    for (const [, option] of rest!.matchAll(/--([a-z][\w-]*)/g)) {
      assert.match(source, new RegExp(`^ {4}'?${option}'?: \\{`, 'm'), command)
    }
  }
})
