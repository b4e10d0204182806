import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AisleClient } from '@aisle/client'
import { ServerProcess } from '@aisle/testing'
import { createEventStore } from '../events/event-store.ts'
import { launchBrowser } from '../lib/browser.ts'
import { serveShopPage, shows } from './shop-page.ts'

// Goal: a page can search by place. Method: the widget geoSearch, with a fake map that has the
// methods it calls, in Chromium with a running service.

const SHOPS = [
  { id: 'louvre', title: 'Louvre', location: [48.8606, 2.3376] },
  { id: 'orsay', title: 'Orsay', location: { lat: 48.86, lon: 2.3266 } },
  { id: 'london', title: 'London', location: [51.5055, -0.0754] },
  { id: 'fiji', title: 'Fiji', location: [-16.5, 179.99] },
  { id: 'taveuni', title: 'Taveuni', location: [-16.5, -179.99] },
  { id: 'web', title: 'Web' },
]

const PAGE = `
import instantsearch from 'instantsearch.js'
import { configure, geoSearch, hits } from 'instantsearch.js/es/widgets'
import { instantSearchClient } from '@aisle/instantsearch-adapter'

function place(id) {
  const element = document.createElement('div')
  element.id = id
  document.body.append(element)
  return element
}
const point = (lat, lng) => ({ lat, lng, toJSON: () => ({ lat, lng }) })

class LatLngBounds {
  constructor(southWest, northEast) {
    this.points = [southWest, northEast].filter(Boolean)
  }
  extend(one) {
    this.points.push(one)
    return this
  }
  getNorthEast() {
    return point(Math.max(...this.points.map((p) => p.lat)), this.points.at(-1).lng)
  }
  getSouthWest() {
    return point(Math.min(...this.points.map((p) => p.lat)), this.points[0].lng)
  }
}
class Map {
  listeners = {}
  constructor() {
    window.map = this
  }
  addListener(name, listener) {
    this.listeners[name] = listener
  }
  fitBounds() {}
  setCenter() {}
  setZoom() {}
  getBounds() {
    return this.bounds
  }
  moveTo(south, west, north, east) {
    this.bounds = { getNorthEast: () => point(north, east), getSouthWest: () => point(south, west) }
    this.listeners.dragstart()
    this.listeners.idle()
  }
}
class Marker {
  constructor({ __id, position }) {
    this.__id = __id
    this.position = position
    this.element = document.createElement('i')
    this.element.textContent = __id + ' ' + position.lat + ' ' + position.lng
    markers.append(this.element)
  }
  getPosition() {
    return this.position
  }
  setMap() {
    this.element.remove()
  }
  addListener() {}
}
const markers = place('markers')
const google = {
  maps: {
    Map, Marker, LatLngBounds,
    ControlPosition: { LEFT_TOP: 1 },
    event: { addListenerOnce: (map, name, listener) => listener() },
    OverlayView: class {},
  },
}

window.start = ({ url, stores, parameters }) => {
  const searchClient = instantSearchClient({ url, stores, placeField: 'location' })
  const search = instantsearch({ indexName: 'shops', searchClient })
  search.addWidgets([
    configure(parameters),
    geoSearch({ container: place('map'), googleReference: google }),
    hits({
      container: place('hits'),
      templates: {
        item: (hit) => hit.title + ' ' + (hit._rankingInfo ? hit._rankingInfo.geoDistance : ''),
      },
    }),
  ])
  search.start()
}
`

suite('searches by place in a page', { timeout: 600_000 }, () => {
  test('the widget geoSearch, a radius, and the order by distance', async (t) => {
    const server = await ServerProcess.start({ threads: 1 })
    t.after(() => server.stop())
    const store = await createEventStore(server, 'shops')
    const shops = new AisleClient({ url: server.url }).store('shops', store)
    await shops.changeSchema({
      fields: [
        { name: 'title', type: 'string', searchable: true },
        { name: 'location', type: 'geopoint' },
      ],
    })
    await shops.importDocuments(SHOPS)
    const shop = await serveShopPage(PAGE, () => '')
    t.after(() => shop.close())
    await shops.changeSettings({ cors_origins: [shop.origin] })
    const browser = await launchBrowser()
    t.after(() => browser.close())
    const open = async (parameters: object) => {
      const page = await browser.newPage()
      page.on('pageerror', (error) => assert.fail(error))
      await page.goto(shop.origin)
      const options = { url: server.url, stores: { shops: store.readSecret }, parameters }
      await page.evaluate(`window.start(${JSON.stringify(options)})`)
      return page
    }

    const near = await open({ aroundLatLng: '48.86,2.3266', getRankingInfo: true, hitsPerPage: 4 })
    await shows(near, '#hits li', ['Orsay 0', 'Louvre 807', 'London 340228', 'Fiji 16410603'])
    await shows(near, '#markers i', [
      'orsay 48.86 2.3266',
      'louvre 48.8606 2.3376',
      'london 51.5055 -0.0754',
      'fiji -16.5 179.99',
    ])
    const within = await open({ aroundLatLng: '48.86,2.3266', aroundRadius: 2_000 })
    await shows(within, '#hits li', ['Orsay', 'Louvre'])
    const inside = await open({ insidePolygon: [[50, 1, 50, 4, 47, 4, 47, 1]] })
    await shows(inside, '#hits li', ['Orsay', 'Louvre'])

    // A moved map requests its box, also across the date line.
    const page = await open({})
    await shows(page, '#hits li', ['Web', 'Taveuni', 'Fiji', 'London', 'Orsay', 'Louvre'])
    await page.evaluate('map.moveTo(45, -5, 55, 5)')
    await shows(page, '#hits li', ['London', 'Orsay', 'Louvre'])
    await page.evaluate('map.moveTo(-20, 176, -15, -178)')
    await shows(page, '#hits li', ['Taveuni', 'Fiji'])
    await page.evaluate('map.moveTo(-60, -170, 80, 170)')
    await shows(page, '#hits li', ['London', 'Orsay', 'Louvre'])
    await page.click('.ais-GeoSearch-reset')
    await shows(page, '#hits li', ['Web', 'Taveuni', 'Fiji', 'London', 'Orsay', 'Louvre'])
  })
})
