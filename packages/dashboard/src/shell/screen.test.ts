import assert from 'node:assert/strict'
import { test } from 'node:test'
import { screenAt, type Screen, type Screens } from './screen.ts'

const screen = (path: string): Screen => ({ path }) as Screen

test('the screen of an address is known before the page is drawn', () => {
  const screens: Screens = {
    store: [
      { label: '', screens: [screen('overview')] },
      { label: 'Search', screens: [screen('rules')] },
    ],
    service: [screen('stores'), screen('people')],
    foot: [screen('account')],
    open: {},
  }
  const pathOf = (address: string) => screenAt(screens, address)?.path
  assert.equal(pathOf('/'), 'overview')
  assert.equal(pathOf('/stores/shop/rules'), 'rules')
  assert.equal(pathOf('/stores/a%2Fb/overview/more'), 'overview')
  assert.equal(pathOf('/stores'), 'stores')
  assert.equal(pathOf('/account'), 'account')
  assert.equal(pathOf('/stores/shop/none'), undefined)
  assert.equal(pathOf('/first-run'), undefined)
})
