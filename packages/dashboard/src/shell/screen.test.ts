import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AisleClient } from '@aisle/client'
import type { QueryClient } from '@tanstack/react-query'
import { beginScreen, screenAt, type Screen, type Screens, type ScreenStart } from './screen.ts'

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

test('a page asks for what it shows first while its code loads', () => {
  const begun: (readonly unknown[])[] = []
  const starts: ScreenStart[] = []
  const overview = { ...screen('overview'), begin: (start: ScreenStart) => starts.push(start) }
  const screens: Screens = {
    store: [{ label: '', screens: [overview] }],
    service: [screen('stores')],
    foot: [],
    open: {},
  }
  const queries = {
    prefetchQuery: ({ queryKey }: { queryKey: readonly unknown[] }) => begun.push(queryKey),
  } as unknown as QueryClient
  const begin = (pathname: string, search = ''): void => {
    begun.length = 0
    const api = new AisleClient({ url: 'http://127.0.0.1:1' })
    beginScreen(screens, { pathname, search }, api, queries)
  }
  begin('/stores/a%2Fb/overview', '?range=7d')
  assert.deepEqual(begun, [['stores'], ['stores', 'a/b']])
  assert.equal(starts[0]?.storeId, 'a/b')
  assert.equal(starts[0].parameters.get('range'), '7d')
  begin('/stores/%E0%A4%A/none')
  assert.deepEqual(begun, [['stores'], ['stores', '%E0%A4%A']])
  begin('/stores')
  assert.deepEqual(begun, [['stores']])
  assert.equal(starts.length, 1)
})
