/** A small page in React, in a module that also renders on a server. */
export const REACT_PAGE = `
import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import {
  Configure, getServerState, Highlight, Hits, InstantSearch, InstantSearchSSRProvider, Pagination,
  RefinementList, SearchBox, SortBy, useStats,
} from 'react-instantsearch'
import { instantSearchClient } from '@aisle/instantsearch-adapter'

function Count() {
  const { nbHits } = useStats()
  return <p id="stats">{nbHits} lamps</p>
}

function Shop({ searchClient, serverState }) {
  return (
    <InstantSearchSSRProvider {...serverState}>
      <InstantSearch indexName="lamps" searchClient={searchClient} future={{ preserveSharedStateOnUnmount: true }}>
        <Configure hitsPerPage={5} />
        <SearchBox />
        <Count />
        <RefinementList attribute="room" />
        <SortBy items={[{ label: 'Best', value: 'lamps' }, { label: 'Cheapest', value: 'lamps/sort/price:asc' }]} />
        <Hits hitComponent={({ hit }) => <Highlight attribute="title" hit={hit} />} />
        <Pagination />
      </InstantSearch>
    </InstantSearchSSRProvider>
  )
}

/** On a server. */
export async function rendered(options) {
  const searchClient = instantSearchClient(options)
  const serverState = await getServerState(<Shop searchClient={searchClient} />, { renderToString })
  const html = renderToString(<Shop searchClient={searchClient} serverState={serverState} />)
  return { html, serverState }
}

if (typeof document !== 'undefined') {
  const { options, serverState } = JSON.parse(document.querySelector('#state').textContent)
  const searchClient = instantSearchClient(options)
  hydrateRoot(document.querySelector('#app'), <Shop searchClient={searchClient} serverState={serverState} />, {
    onRecoverableError: (error) => (globalThis.failure = String(error)),
  })
  globalThis.hydrated = true
}`

/** The same page in Vue. */
export const VUE_PAGE = `
import { createApp } from 'vue/dist/vue.esm-bundler.js'
import InstantSearch from 'vue-instantsearch/vue3/es'
import { instantSearchClient } from '@aisle/instantsearch-adapter'

const { options } = JSON.parse(document.querySelector('#state').textContent)
createApp({
  data: () => ({
    searchClient: instantSearchClient(options),
    orders: [{ label: 'Best', value: 'lamps' }, { label: 'Cheapest', value: 'lamps/sort/price:asc' }],
  }),
  template: \`
    <ais-instant-search :search-client="searchClient" index-name="lamps">
      <ais-configure :hits-per-page.camel="5" />
      <ais-search-box />
      <ais-stats><template #default="{ nbHits }"><p id="stats">{{ nbHits }} lamps</p></template></ais-stats>
      <ais-refinement-list attribute="room" />
      <ais-sort-by :items="orders" />
      <ais-hits><template #item="{ item }"><ais-highlight attribute="title" :hit="item" /></template></ais-hits>
      <ais-pagination />
    </ais-instant-search>\`,
}).use(InstantSearch).mount('#app')`
