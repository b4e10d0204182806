import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { PAGE_BUILD } from './page-build.ts'

export const DASHBOARD = fileURLToPath(new URL('..', import.meta.url))

/** What the page and the development server are made with. */
export function viteConfig(): InlineConfig {
  return {
    root: DASHBOARD,
    configFile: false,
    publicDir: false,
    plugins: [react(), themeScript()],
    // The same parser without Node's streams and buffers.
    resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
    build: {
      ...PAGE_BUILD,
      // In kB: what every page begins with; a test has its limit, compressed.
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        output: {
          // A browser asks for six files at a time, and a small file costs as much as a large one:
          // what every page begins with is one file, and so is what several screens share.
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'], priority: 2 },
              { name: 'shared', minShareCount: 3, maxModuleSize: 60_000, priority: 1 },
            ],
          },
        },
      },
    },
  }
}

/**
 * Sets the chosen theme before the first paint, by a small script in the head. It is a separate
 * file, since the policy of the page allows no inline code.
 */
function themeScript(): Plugin {
  const source = readFileSync(new URL('theme.js', import.meta.url), 'utf8')
  return {
    name: 'theme-script',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'asset', name: 'theme.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const built = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes('theme.js'),
        )
        return [{ tag: 'script', injectTo: 'head', attrs: { src: `/${built?.fileName ?? ''}` } }]
      },
    },
  }
}
