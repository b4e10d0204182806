import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLUGINS, requireOrder } from '../plugin-order.ts'

test('plugins stand after those that they need', () => {
  requireOrder(PLUGINS)
  assert.equal(new Set(PLUGINS.map(({ name }) => name)).size, PLUGINS.length)
})

test('a plugin before one that it needs, or without it, is refused', () => {
  for (const plugin of PLUGINS) {
    const others = PLUGINS.filter((other) => other !== plugin)
    for (const needed of Object.keys(plugin.after ?? {})) {
      assert.throws(
        () => requireOrder([plugin, ...others]),
        ({ message }: Error) => message.startsWith(`Plugin "${plugin.name}" must be registered`),
      )
      const without = PLUGINS.filter(({ name }) => name !== needed)
      assert.throws(() => requireOrder(without), { message: /must be registered after/ })
    }
  }
})
