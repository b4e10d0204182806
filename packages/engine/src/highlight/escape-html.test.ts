import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from './escape-html.ts'

test('escapeHtml replaces exactly the characters with a meaning in HTML', () => {
  assert.equal(
    escapeHtml(`<a href="x" title='y'>R&D</a>`),
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;R&amp;D&lt;/a&gt;',
  )
  assert.equal(escapeHtml('plain é ✓'), 'plain é ✓')
  assert.equal(escapeHtml(''), '')
})
