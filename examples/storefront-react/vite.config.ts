import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * Configures the store of the page: the service's address, the store's id, its read secret and its
 * events key, all of which a page may show. The service that serves the demo shop writes the same
 * element.
 */
function connection(): Plugin {
  const { AISLE_URL: url, STORE: storeId, READ_SECRET: readSecret } = process.env
  const eventsWriteKey = process.env['EVENTS_WRITE_KEY']
  const json = JSON.stringify({ url, storeId, readSecret, eventsWriteKey, base: '' })
  const element = '<script id="connection" type="application/json">'
  return {
    name: 'connection',
    transformIndexHtml: (html) => html.replace(element, () => element + json),
  }
}

export default defineConfig({ plugins: [react(), connection()] })
