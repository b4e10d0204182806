import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from './lib/source-files.ts'

const page = readSource('docs/promises.md').text

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
      assert.match(source, new RegExp(`^ {2,4}'?${option}'?: \\{`, 'm'), command)
    }
  }
})
