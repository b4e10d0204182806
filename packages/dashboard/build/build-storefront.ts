import { join } from 'node:path'
import type { InlineConfig } from 'vite'
import { buildFolder, REPOSITORY } from './built-folder.ts'
import { PAGE_BUILD } from './page-build.ts'

/**
 * The demo shop is the example that people copy, built for the address that the service gives it.
 */
const STOREFRONT = join(REPOSITORY, 'examples/storefront-react')
const SOURCES = [
  'examples/storefront-react/src/**/*',
  'examples/storefront-react/{index.html,package.json}',
  'packages/dashboard/build/{built-folder,build-storefront,page-build}.ts',
  'packages/{client,contract,events}/src/**/*.ts',
]

/**
 * Builds the pages, and `render/render.js`, by which the service draws the first of them.
 *
 * @returns whether something was built
 */
export async function buildStorefront(): Promise<boolean> {
  return await buildFolder(join(STOREFRONT, 'dist'), SOURCES, async (folder) => {
    const [{ build }, { default: react }] = await Promise.all([
      import('vite'),
      import('@vitejs/plugin-react'),
    ])
    const config: InlineConfig = {
      root: STOREFRONT,
      configFile: false,
      publicDir: false,
      base: '/demo/',
      plugins: [react()],
      logLevel: 'warn',
      define: { 'process.env.NODE_ENV': '"production"' },
    }
    await build({
      ...config,
      build: { ...PAGE_BUILD, outDir: folder, emptyOutDir: true },
    })
    await build({
      ...config,
      // Without `require`: the service loads it from memory.
      ssr: { noExternal: true, target: 'webworker' },
      build: {
        ssr: join(STOREFRONT, 'src/render.tsx'),
        target: 'node24',
        minify: true,
        outDir: join(folder, 'render'),
        emptyOutDir: true,
      },
    })
  })
}
