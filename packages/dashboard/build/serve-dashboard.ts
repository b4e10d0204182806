import { createServer } from 'vite'
import { viteConfig } from './vite-config.ts'

/**
 * `npm run dashboard`: the dashboard from its sources, rebuilt on each change, over a service that
 * runs: `AISLE_URL=http://127.0.0.1:7700 npm run dashboard -- 7701`.
 */
const SERVICE_PATHS = [
  '/api',
  '/v1',
  '/health',
  '/livez',
  '/version',
  '/openapi.json',
  '^/docs(?!/api)',
]
const target = process.env['AISLE_URL'] ?? 'http://127.0.0.1:7700'
const port = Number(process.argv[2] ?? 7701)

const server = await createServer({
  ...viteConfig(),
  server: {
    host: '127.0.0.1',
    port,
    proxy: Object.fromEntries(SERVICE_PATHS.map((path) => [path, { target }])),
  },
})
await server.listen()
server.printUrls()
