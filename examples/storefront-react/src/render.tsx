import { SearchClient } from '@aisle/client/search'
import { renderToString } from 'react-dom/server'
import { App, titleOf } from './app.tsx'
import { loadPage, type PageData, type Product } from './page-data.ts'
import { addressOf, readAddress } from './page-state.ts'
import { SHOP, type Connection } from './shop-config.ts'

export interface RenderOptions {
  /** The built `index.html`. */
  readonly template: string
  /** Path and query of the request. */
  readonly path: string
  readonly connection: Connection
  /** The address of the service from the server. */
  readonly url: string
  readonly fetch?: typeof fetch
}

/** The only form of an address: without parameters that its page ignores, in one order. */
export function pageAddress(path: string, base: string): string {
  return addressOf(readAddress(path, base), base)
}

/**
 * Renders the page of an address as HTML, with its products, so that it can be read before a script
 * runs. If its data cannot be loaded, the browser tries again.
 */
export async function renderPage(options: RenderOptions): Promise<string> {
  const { template, path, connection, url, fetch } = options
  const { storeId, readSecret, base } = connection
  const shop = new SearchClient<Product>({
    url,
    storeId,
    readSecret,
    retries: 0,
    ...(fetch === undefined ? {} : { fetch }),
  })
  const state = readAddress(path, base)
  let data: PageData | undefined
  try {
    data = await loadPage(shop, state, { isDrawing: true })
  } catch {
    data = undefined
  }
  const html =
    data === undefined
      ? ''
      : renderToString(<App path={path} base={base} first={data} visit={undefined} />)
  const parts: readonly [string, string][] = [
    [
      `<title>${escapeHtml(SHOP.name)}</title>`,
      `<title>${escapeHtml(titleOf(state, data))}</title>`,
    ],
    [element('connection'), element('connection', jsonText(connection))],
    [element('page'), element('page', data === undefined ? '' : jsonText(data))],
    ['<div id="root"></div>', `<div id="root">${html}</div>`],
  ]
  return parts.reduce((page, [from, to]) => page.replace(from, () => to), template)
}

function element(id: string, text = ''): string {
  return `<script id="${id}" type="application/json">${text}</script>`
}

/** JSON that cannot close the element. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
